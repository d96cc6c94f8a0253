// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
package import MIDIMessages
package import PlayerControl

/// Controllers for a person: the number, with the name that the standard gives it.
package enum ControllerWords {
  /// `7 volume`; `3` where it has no name.
  package static func text(_ controller: Controller) -> String {
    controller.name.map { "\(controller.number) \($0)" } ?? "\(controller.number)"
  }

  /// The controller that a person means: a number of a range, or a name.
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
