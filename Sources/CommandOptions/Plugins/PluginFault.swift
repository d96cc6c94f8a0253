// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
package import JSONText
internal import PlayerControl

/// Something that a plug-in does wrong when it renders.
package struct PluginFault {
  /// What it is; the words are those of the JSON.
  package enum Kind: String, CaseIterable {
    case allocates, frees, locks, waits
    /// It asks for the numbers of URIs.
    case asks
    /// What it gives is no number.
    case noNumber = "no-number"
    /// It gives another sound the second time.
    case differs
    /// It asks for more work than there is room for.
    case work
    /// It takes longer than it sounds.
    case slow
    /// It takes longer for a block than that sounds.
    case slowBlock = "slow-block"
  }

  package let kind: Kind
  /// How often, or of how many samples.
  package var count = 0
  /// In how many blocks.
  var blocks = 0
  /// The first block, from 1; 0 where none is meant.
  package var first = 0
  /// For how long at most, in milliseconds; 0 where no time is meant.
  package var milliseconds = 0.0
  /// The symbol of the control that was moved before the first; nil where none need be.
  package var control: String?

  package init(_ kind: Kind) { self.kind = kind }

  /// Reads what `json` gives; nil where it is something else.
  package init?(_ json: JSONValue) {
    guard let kind = json["kind"]?.string.flatMap(Kind.init) else { return nil }
    self.kind = kind
    count = Int(clamping: json["count"]?.wholeNumber ?? 0)
    blocks = Int(clamping: json["blocks"]?.wholeNumber ?? 0)
    first = Int(clamping: json["first"]?.wholeNumber ?? 0)
    milliseconds = json["milliseconds"]?.scalarText.flatMap { Double($0) } ?? 0
    control = json["control"]?.string
  }

  /// The same for programs.
  package var json: JSONValue {
    .object([
      ("kind", .text(kind.rawValue)), ("text", .text(clause)), ("count", .integer(count)),
      ("blocks", .integer(blocks)), ("first", .integer(first)),
      ("milliseconds", .decimal(milliseconds.decimal(3))),
      ("control", control.map { .text($0) } ?? .null),
    ])
  }

  /// The clause for a person.
  var clause: String {
    switch kind {
    case .allocates: "allocates memory \(occasion)"
    case .frees: "frees memory \(occasion)"
    case .locks: "takes a lock \(occasion)"
    case .waits: "waits \(occasion)"
    case .asks: "maps URIs \(occasion)"
    case .noNumber:
      "outputs \(count.counted("sample")) that \(count == 1 ? "is" : "are") NaN or infinite"
        + (control.map { " when a control moves (first: \($0))" } ?? "")
    case .differs: "sounds different when the same input is repeated"
    case .work: "schedules more work than the queue holds"
    case .slow: "renders slower than real time"
    case .slowBlock:
      "took \(milliseconds.decimal(2)) ms to render 64 frames (1.33 ms of sound)"
        + (control.map { ", when \($0) moved" } ?? " (block \(first))")
    }
  }

  private var occasion: String {
    let times = "\(count.counted("time")) in \(blocks.counted("block"))"
    guard let control else { return "while rendering: \(times) (first in block \(first))" }
    return "when a control moves: \(times) (first: \(control))"
  }
}
