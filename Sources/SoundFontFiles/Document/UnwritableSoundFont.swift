// SPDX-License-Identifier: Apache-2.0

/// The reason why a document cannot be written as a soundfont.
public struct UnwritableSoundFont: Error, Hashable, Sendable, CustomStringConvertible {
  /// The limit that the document exceeds, such as "70 000 zones of presets, at most 65 534".
  public let reason: String

  init(_ reason: String) { self.reason = reason }

  /// The message for the user, without the name of the file.
  public var description: String { "cannot be written as a soundfont: \(reason)" }
}
