// SPDX-License-Identifier: Apache-2.0

/// What a person did at a terminal: a key, or the mouse.
package enum Keystroke: Hashable, Sendable {
  /// A character that was typed; with Control it is the one of ASCII that stands for it.
  case text(Unicode.Scalar)
  case enter, tab, backTab, backspace, escape
  case up, down, left, right
  case shiftUp, shiftDown, shiftLeft, shiftRight
  case home, end, pageUp, pageDown, insert, delete
  /// The left button went down at a cell; column and row count from 0.
  case click(column: Int, row: Int)
  case wheelUp, wheelDown
}
