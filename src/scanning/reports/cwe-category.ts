import { fallbackIssueCategory, type IssueCategory } from '../vocabulary.js';

// Unspecified: most weaknesses' categories. They follow MITRE's categories of 2021
// (https://cwe.mitre.org/data/definitions/1344.html).
const weaknesses: Partial<Record<IssueCategory, number[]>> = {
  INJECTION: [
    20, 22, 23, 35, 36, 73, 74, 75, 76, 77, 78, 79, 80, 83, 87, 88, 89, 90, 91, 93, 94, 95, 96, 97, 98, 99, 113, 114,
    116, 117, 134, 138, 184, 470, 471, 502, 564, 610, 611, 643, 644, 652, 776, 830, 915, 917, 943, 1236, 1321, 1336,
  ],
  REQUEST_FORGERY: [352, 441, 918],
  ACCESS_CONTROL: [
    250, 255, 256, 257, 259, 264, 269, 271, 272, 273, 276, 280, 281, 282, 284, 285, 287, 288, 290, 294, 297, 302, 304,
    305, 306, 307, 308, 346, 384, 425, 434, 521, 522, 565, 566, 601, 613, 620, 639, 640, 651, 668, 706, 732, 798, 862,
    863, 913, 922, 940, 1275, 1390,
  ],
  INFORMATION_DISCLOSURE: [
    200, 201, 203, 204, 205, 208, 209, 210, 213, 215, 219, 359, 377, 402, 497, 524, 525, 526, 527, 528, 529, 530, 531,
    532, 533, 535, 536, 537, 538, 539, 540, 541, 548, 550, 552, 598, 612, 615, 1230,
  ],
  RESOURCE_LIMITATION: [
    185, 369, 400, 401, 404, 405, 407, 409, 459, 674, 730, 770, 771, 772, 789, 799, 834, 835, 1050, 1333,
  ],
  CONFIGURATION: [
    2, 5, 7, 11, 12, 13, 14, 15, 16, 260, 489, 493, 520, 547, 614, 693, 756, 829, 942, 1004, 1021, 1032, 1104, 1173,
    1174, 1188, 1395,
  ],
  SENSITIVE_DATA: [
    261, 296, 310, 311, 312, 313, 314, 315, 316, 317, 318, 319, 320, 321, 322, 323, 324, 325, 326, 327, 328, 329, 330,
    331, 335, 336, 337, 338, 340, 347, 523, 720, 757, 759, 760, 780, 818, 916,
  ],
  PROTOCOL: [295, 298, 299, 300, 345, 353, 436, 444, 650],
  SCHEMA: [112, 1284, 1286, 1287, 1288],
};

const categoryOf = new Map<number, IssueCategory>();
for (const [category, numbers] of Object.entries(weaknesses)) {
  for (const number of numbers) if (!categoryOf.has(number)) categoryOf.set(number, category as IssueCategory);
}

/** The numbers of the weaknesses in a text such as `CWE-79`, `external/cwe/cwe-079` or `cwe:79`. */
export function cwesIn(text: string): number[] {
  return Array.from(text.slice(0, 2_000).matchAll(/\bcwe[-_:/ ]{0,3}(\d{1,5})\b/gi), ([, digits]) => Number(digits));
}

/** The category of the first weakness that has one, else `CUSTOM`. */
export function categoryOfCwes(cwes: readonly number[]): IssueCategory {
  for (const cwe of cwes) {
    const category = categoryOf.get(cwe);
    if (category) return category;
  }
  return fallbackIssueCategory;
}
