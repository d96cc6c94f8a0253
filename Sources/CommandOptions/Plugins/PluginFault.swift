// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
package import JSONText
internal import PlayerControl

/// A fault of a plug-in while it renders.
package struct PluginFault {
  /// The kind of fault; the raw values are those of the JSON output.
  package enum Kind: String, CaseIterable {
    case allocates, frees, locks, waits
    /// It maps URIs.
    case asks
    /// It outputs NaN or infinite samples.
    case noNumber = "no-number"
    /// Its output differs when the same input is repeated.
    case differs
    /// It schedules more work than the queue holds.
    case work
    /// It renders slower than real time.
    case slow
    /// It renders a block slower than real time.
    case slowBlock = "slow-block"
  }

  package let kind: Kind
  /// The number of occurrences, or of samples.
  package var count = 0
  /// The number of blocks with the fault.
  var blocks = 0
  /// The first block, from 1; 0 if the fault is not about blocks.
  package var first = 0
  /// The longest duration in milliseconds; 0 if the fault is not about time.
  package var milliseconds = 0.0
  /// The symbol of the control that was moved before the first occurrence; nil if the fault occurs
  /// without moving controls.
  package var control: String?

  package init(_ kind: Kind) { self.kind = kind }

  /// Reads the document of `json`; nil if it is not valid.
  package init?(_ json: JSONValue) {
    guard let kind = json["kind"]?.string.flatMap(Kind.init) else { return nil }
    self.kind = kind
    count = Int(clamping: json["count"]?.wholeNumber ?? 0)
    blocks = Int(clamping: json["blocks"]?.wholeNumber ?? 0)
    first = Int(clamping: json["first"]?.wholeNumber ?? 0)
    milliseconds = json["milliseconds"]?.scalarText.flatMap { Double($0) } ?? 0
    control = json["control"]?.string
  }

  /// The fault as JSON.
  package var json: JSONValue {
    .object([
      ("kind", .text(kind.rawValue)), ("text", .text(clause)), ("count", .integer(count)),
      ("blocks", .integer(blocks)), ("first", .integer(first)),
      ("milliseconds", .decimal(milliseconds.decimal(3))),
      ("control", control.map { .text($0) } ?? .null),
    ])
  }

  /// The fault as a clause for the user.
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
