import type { LessonDigest } from './lessons/digest.ts';
import type { ToldLesson } from './lessons/newest-lessons.ts';

export type { LessonDigest, ToldLesson };

/** What agents learned, for those who search. */
export interface LessonsPort {
  /** Hands out each lesson once, oldest first; of those before the first call the newest `most`. */
  newestLessons(most: number): { read(): Promise<ToldLesson[]> };
}
