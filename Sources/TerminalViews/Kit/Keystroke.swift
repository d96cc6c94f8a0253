// SPDX-License-Identifier: Apache-2.0

/// An action at a terminal: a key or the mouse.
package enum Keystroke: Hashable, Sendable {
  /// A typed character; with Ctrl, an ASCII control character.
  case text(Unicode.Scalar)
  case enter, tab, backTab, backspace, escape
  case up, down, left, right
  case shiftUp, shiftDown, shiftLeft, shiftRight
  case home, end, pageUp, pageDown, insert, delete
  /// The left button was pressed at a cell; column and row are counted from 0.
  case click(column: Int, row: Int)
  case wheelUp, wheelDown
}
