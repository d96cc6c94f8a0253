// SPDX-License-Identifier: Apache-2.0

/// What a colour is for; which one it is depends on whether the picture is light or dark.
package enum Ink: Hashable, Sendable {
  /// Behind everything; behind what is plotted; behind the rows of black keys.
  case page, plot, shade
  /// Lines of bars, and of those that are numbered.
  case grid, strongGrid
  case text, faint
  /// Markers, and what belongs to no channel.
  case mark
  /// The keys beside a piano roll.
  case whiteKey, blackKey
  /// One of sixteen that tell apart, for people who see no red or green too.
  case channel(Int)
  /// One of `Ink.heatCount` for loud and soft, the loudest last.
  case heat(Int)

  package static let channelCount = 16
  package static let heatCount = 9

  /// A name for style sheets.
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
