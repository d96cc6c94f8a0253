// SPDX-License-Identifier: Apache-2.0

/// The purpose of a colour.
///
/// The colour itself depends on the appearance.
package enum Ink: Hashable, Sendable {
  /// The background of the page, of plots, and of the rows of black keys.
  case page, plot, shade
  /// The lines of bars, and of numbered bars.
  case grid, strongGrid
  case text, faint
  /// Markers, and items without a channel.
  case mark
  /// The keys of the keyboard at a piano roll.
  case whiteKey, blackKey
  /// One of sixteen colours that can be distinguished, also by people with red or green blindness.
  case channel(Int)
  /// One of `Ink.heatCount` levels, the loudest last.
  case heat(Int)

  package static let channelCount = 16
  package static let heatCount = 9

  /// The name of the style class.
  var name: String {
    switch self {
    case .page: "page"
    case .plot: "plot"
    case .shade: "shade"
    case .grid: "grid"
    case .strongGrid: "strong"
    case .text: "text"
    case .faint: "faint"
    case .mark: "mark"
    case .whiteKey: "white"
    case .blackKey: "black"
    case .channel(let number): "c\(number)"
    case .heat(let level): "h\(level)"
    }
  }
}
