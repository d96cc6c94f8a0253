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
  /// True if channels are shown.
  package var hasChannels = true
  /// True if fields, words and channels are shown.
  package private(set) var hasFields = true

  package init() {}

  /// Shows a part, or hides it if it is shown.
  package mutating func apply(_ change: Change) {
    switch change {
    case .help: overlay = overlay == .help ? nil : .help
    case .facts: overlay = overlay == .facts ? nil : .facts
    case .channels: hasChannels.toggle()
    case .fields: hasFields.toggle()
    case .closeOverlay: overlay = nil
    }
  }
}
