// SPDX-License-Identifier: Apache-2.0

extension ProgramList {
  /// What is taken from each program, in decibels, so that all are equally loud at equal velocity.
  ///
  /// Measured on keys 48, 60 and 72 at velocity 100: the loudest 400 ms after ITU-R BS.1770, brought to
  /// -28 LUFS for what dies away, -27 for organs and synthesizers and -26.5 for what is bowed, blown or
  /// sung, at a synthesizer gain of one half.
  static let trims: [Int: Double] = [
    0: 1.5, 1: 2, 2: 2.5, 3: 4.5, 4: 1, 5: 3.5, 6: 1.5, 8: 3.5, 9: 1.5, 10: 3.5, 11: 5, 12: 2,
    14: 2.5, 15: 4, 16: 1, 17: 2, 18: 1, 19: 2, 20: 0.5, 21: 5, 22: 0.5, 23: 3, 24: 1, 25: 1.5,
    27: 2, 30: 2.5, 31: 0.5, 32: 0.5, 33: 2, 39: 3.5, 40: 1.5, 41: 1.5, 42: 1.5, 43: 0.5, 44: 4.5,
    46: 1, 47: 1.5, 48: 5, 49: 4.5, 50: 2.5, 51: 1, 52: 5.5, 53: 2, 54: 2.5, 56: 1, 57: 1, 59: 1,
    60: 1.5, 61: 5.5, 62: 3, 63: 1, 64: 1, 65: 1, 66: 1, 67: 0.5, 68: 1, 70: 1, 71: 1, 72: 1,
    73: 1, 74: 1, 75: 1, 76: 1, 77: 1, 78: 1, 79: 1, 80: 1, 81: 5, 82: 1.5, 83: 1, 84: 1.5,
    85: 3.5, 86: 3.5, 87: 2, 88: 0.5, 89: 4, 90: 3.5, 91: 3, 92: 2, 94: 3, 96: 2.5, 97: 2.5,
    98: 1.5, 99: 0.5, 103: 1, 104: 1, 107: 2, 108: 1.5, 109: 5, 110: 3, 111: 1.5, 112: 2, 113: 1.5,
    114: 2, 120: 0.5, 122: 0.5, 123: 2.5, 124: 2,
  ]
}
