// SPDX-License-Identifier: Apache-2.0

/// The parts of a player's display that are shown.
package struct LiveParts {
  /// A list in front of the display.
  package enum Overlay {
    case help, facts
  }

  /// A change of the parts that are shown.
  package enum Change {
    case channels, fields, facts, help, closeOverlay
  }

  /// The list in front; nil for none.
  package private(set) var overlay: Overlay?
  /// The page of the list that is shown, from 0.
  package private(set) var page = 0
  /// The number of pages of the list on the screen.
  package var pageCount = 1
  /// True if channels are shown.
  package var hasChannels = true
  /// True if fields, words and channels are shown.
  package private(set) var hasFields = true

  package init() {}

  /// Shows a part, or hides it if it is shown; a list of several pages shows the next one first.
  package mutating func apply(_ change: Change) {
    switch change {
    case .help: turn(to: .help)
    case .facts: turn(to: .facts)
    case .channels: hasChannels.toggle()
    case .fields: hasFields.toggle()
    case .closeOverlay: overlay = nil
    }
  }

  private mutating func turn(to list: Overlay) {
    if overlay != list {
      (overlay, page) = (list, 0)
    } else if page + 1 < pageCount {
      page += 1
    } else {
      overlay = nil
    }
  }
}
