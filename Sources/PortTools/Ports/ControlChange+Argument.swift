// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import MIDIMessages

extension ControlChange {
  /// The syntax, for the help.
  static let grammar =
    "CONTROL=CHANGE. CONTROL: 7 or volume (controller 7), cc14:7 (with 14 bits), rpn:0 or nrpn:300"
    + " (14-bit parameter), rpn7:0 or nrpn7:300 (its upper 7 bits). CHANGE: to11 or toexpression"
    + " (to another controller), or a change as for --velocity"

  /// Reads changes of one control: `1=to11,50%`.
  static func parse(_ text: String) throws -> [ControlChange] {
    let ends = text.split(separator: "=", maxSplits: 1)
    guard ends.count == 2, let named = Self.control(String(ends[0])) else {
      throw ValidationError("--control \(text): expected \(grammar)")
    }
    var (control, isFine) = named
    return try ends[1].split(separator: ",", omittingEmptySubsequences: false).map { step in
      guard step.hasPrefix("to") else {
        let transform = try ValueTransform(parsing: String(step), limit: isFine ? 16383 : 127)
        return ControlChange(control, isFine: isFine, .alter(transform))
      }
      guard let number = Self.number(String(step.dropFirst(2)), of: control),
        control.numbers(isFine: isFine).contains(number)
      else {
        let last = control.numbers(isFine: isFine).upperBound
        throw ValidationError("--control \(text): \(step): not in 0…\(last)")
      }
      defer { control = control.renumbered(number) }
      return ControlChange(control, isFine: isFine, .renumber(number))
    }
  }

  private static func control(_ text: String) -> (Control, isFine: Bool)? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count <= 2, let word = parts.last.map(String.init) else { return nil }
    let kind = parts.count == 2 ? String(parts[0]) : "cc"
    let kinds: [String: (Control, Bool)] = [
      "cc": (.controller(0), false), "cc14": (.controller(0), true),
      "rpn": (.registered(0), true), "rpn7": (.registered(0), false),
      "nrpn": (.nonRegistered(0), true), "nrpn7": (.nonRegistered(0), false),
    ]
    guard let (model, isFine) = kinds[kind], let number = number(word, of: model),
      model.numbers(isFine: isFine).contains(number)
    else { return nil }
    return (model.renumbered(number), isFine)
  }

  /// Reads a number, or the name of a controller.
  private static func number(_ text: String, of control: Control) -> UInt16? {
    if let number = UInt16(text) { return number }
    guard case .controller = control else { return nil }
    let found = Controller.named(text)
    return found.count == 1 ? UInt16(found[0].number) : nil
  }
}
