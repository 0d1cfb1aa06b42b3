/** The course on the other library: `libraries.ts` makes it. */
declare module '*.js?peer' {
  export const Course: typeof import('./course.js').Course;
  export const CourseContent: typeof import('./course.js').CourseContent;
}
