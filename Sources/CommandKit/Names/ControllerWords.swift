// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
package import MIDIMessages
package import PlayerControl

/// Controllers as text for the user: the number, with the standard name.
package enum ControllerWords {
  /// The number and name of a controller: `7 volume`; `3` for a controller without a name.
  package static func text(_ controller: Controller) -> String {
    controller.name.map { "\(controller.number) \($0)" } ?? "\(controller.number)"
  }

  /// Reads a controller: a number in a range, or a name.
  package static func controller(
    _ text: String, in range: ClosedRange<UInt8> = 0...127
  ) throws(ControlError) -> Controller {
    if let number = UInt8(text), range.contains(number) { return Controller(number) }
    let named = Int(text) == nil ? Controller.named(text) : []
    let found = named.filter { range.contains($0.number) }
    if let only = found.first, found.count == 1 { return only }
    throw Choice.refusal(
      "controller", text,
      "must be a number \(range.lowerBound)…\(range.upperBound) or a name (try 7 or volume)",
      found.map(Self.text))
  }
}
