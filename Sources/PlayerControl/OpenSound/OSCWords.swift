// SPDX-License-Identifier: Apache-2.0
package import JSONText
package import OpenSoundControl

/// What a message of Open Sound Control asks of a player: an address for each command that
/// `downbeat ctl` has, and its words as arguments, as they are typed there.
package enum OSCWords {
  /// What stands before a command's name.
  package static let root = "/downbeat/"
  /// Repeats the number of a `/confirm` message.
  static let confirmation = "/downbeat/confirm"

  /// What a message asks for; several things where its address is a pattern of several.
  ///
  /// A button's release, an argument of 0 or F after a command that has no words, asks for nothing.
  ///
  /// - Throws: `ControlError.Kind.usage` where it has no meaning.
  package static func actions(of message: OSCMessage) throws(ControlError) -> [ControlAction] {
    guard OSCPattern.isPattern(message.address) else {
      guard let verb = ControlVerb(name: String(message.address.dropFirst(root.count))) else {
        throw unknown(message.address)
      }
      return try action(verb, message.arguments).map { [$0] } ?? []
    }
    guard let pattern = OSCPattern(message.address) else {
      throw ControlError(
        .usage, "invalid pattern (brackets must be closed; at most \(OSCPattern.longest) bytes)")
    }
    let verbs = ControlVerb.allCases.filter { pattern.matches(root + $0.rawValue) }
    guard !verbs.isEmpty else { throw unknown(message.address) }
    var actions: [ControlAction] = []
    for verb in verbs {
      if let action = try action(verb, message.arguments) { actions.append(action) }
    }
    return actions
  }

  private static func unknown(_ address: String) -> ControlError {
    let names = ControlVerb.allCases.map(\.rawValue)
    let near = NearestNames.nearest(to: String(address.dropFirst(root.count)), among: names)
      .map { "did you mean \(root)\($0)?" }
    let all = names.map { root + $0 }.joined(separator: ", ")
    return ControlError(.usage, "unknown address (\(near ?? all))")
  }

  private static func action(
    _ verb: ControlVerb, _ arguments: [OSCValue]
  ) throws(ControlError) -> ControlAction? {
    var (verb, arguments) = (verb, arguments)
    if verb == .observe || verb == .unobserve {
      throw ControlError(
        .usage, "\(verb.rawValue): not available over OSC (to receive changes: --osc-out)")
    }
    if let isOn = arguments.last?.flag, let opposite = verb.opposite, arguments.count == 2 {
      arguments.removeLast()
      if !isOn { verb = opposite }
    } else if verb.help.usage.isEmpty, arguments.count == 1, let isPressed = arguments[0].button {
      guard isPressed else { return nil }
      arguments = []
    }
    var values: [JSONValue] = []
    for (index, argument) in arguments.enumerated() {
      guard let word = verb == .volume ? argument.gain ?? argument.word : argument.word else {
        throw ControlError(
          .usage,
          "\(verb.rawValue): argument \(index + 1): must be a string, a number, T or F")
      }
      values.append(word)
    }
    return try ControlRequest.action(verb.rawValue, values)
  }
}

extension ControlVerb {
  /// What undoes it, for channels that are switched by T and F.
  fileprivate var opposite: ControlVerb? {
    switch self {
    case .mute: .unmute
    case .solo: .unsolo
    default: nil
    }
  }
}

extension OSCValue {
  /// The word that it is on a command line; nil for what is none.
  fileprivate var word: JSONValue? {
    switch self {
    case .string(let text): .text(text)
    case .int32(let number): .text("\(number)")
    case .int64(let number): .text("\(number)")
    case .float(let number): Self.digits("\(number)").map(JSONValue.text)
    case .double(let number): Self.digits("\(number)").map(JSONValue.text)
    case .bool(let flag): .bool(flag)
    default: nil
    }
  }

  /// A number as a fader sends it, the factor of a gain, in percent; nil if it is not a number.
  fileprivate var gain: JSONValue? {
    switch self {
    case .float(let factor): Self.digits("\(factor * 100)").map { .text($0 + "%") }
    case .double(let factor): Self.digits("\(factor * 100)").map { .text($0 + "%") }
    case .int32(let factor): .text("\(Int64(factor) * 100)%")
    default: nil
    }
  }

  /// A number's digits, without an exponent, and as a whole number where it is one.
  private static func digits(_ text: String) -> String? {
    guard !text.contains(where: \.isLetter) else { return nil }
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// T and F, or 1 and 0.
  fileprivate var flag: Bool? {
    switch self {
    case .bool(let flag): flag
    case .int32(let number) where number == 0 || number == 1: number == 1
    case .float(let number) where number == 0 || number == 1: number == 1
    default: nil
    }
  }

  /// Whether a button is pressed; nil for what is no button's.
  fileprivate var button: Bool? { self == .impulse ? true : flag }
}

extension OSCMessage {
  /// What is answered to a question.
  package init(telling property: ControlProperty, _ value: JSONValue) {
    self.init("/property", [.string(property.rawValue)] + Self.arguments(value))
  }

  private static func arguments(_ value: JSONValue) -> [OSCValue] {
    switch value {
    case .null: [.null]
    case .bool(let flag): [.bool(flag)]
    case .text(let text), .path(let text): [.string(Printable.text(text))]
    case .integer(let number): [Int32(exactly: number).map { .int32($0) } ?? .int64(Int64(number))]
    case .decimal(let digits): [.double(Double(digits) ?? 0)]
    case .array(let values) where values.allSatisfy({ $0.isScalar }): values.flatMap(arguments)
    default: [.string("\(value)")]
    }
  }
}

extension JSONValue {
  fileprivate var isScalar: Bool {
    switch self {
    case .array, .object: false
    default: true
    }
  }
}
