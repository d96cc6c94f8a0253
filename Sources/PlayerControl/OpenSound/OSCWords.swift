// SPDX-License-Identifier: Apache-2.0
package import JSONText
package import OpenSoundControl

/// The requests of Open Sound Control messages to a player.
///
/// Each command of `downbeat ctl` has an address, and its arguments are those of the command line.
package enum OSCWords {
  /// The part of an address before the name of a command.
  package static let root = "/downbeat/"
  /// Repeats the number of a `/confirm` message.
  static let confirmation = "/downbeat/confirm"

  /// The requests of a message; several if its address is a pattern that matches several commands.
  ///
  /// The release of a button does nothing: an argument of 0 or F for a command without arguments.
  ///
  /// - Throws: `ControlError.Kind.usage` if the message is not a valid command.
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
  /// The command that reverses this one, for channels that T and F switch.
  fileprivate var opposite: ControlVerb? {
    switch self {
    case .mute: .unmute
    case .solo: .unsolo
    default: nil
    }
  }
}

extension OSCValue {
  /// The argument as a word on a command line; nil if it cannot be one.
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

  /// The number that a fader sends for a gain, converted from a factor to percent; nil if it is not
  /// a number.
  fileprivate var gain: JSONValue? {
    switch self {
    case .float(let factor): Self.digits("\(factor * 100)").map { .text($0 + "%") }
    case .double(let factor): Self.digits("\(factor * 100)").map { .text($0 + "%") }
    case .int32(let factor): .text("\(Int64(factor) * 100)%")
    default: nil
    }
  }

  /// The digits of a number without an exponent, as a whole number if it is one; nil otherwise.
  private static func digits(_ text: String) -> String? {
    guard !text.contains(where: \.isLetter) else { return nil }
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// The value of T and F, or of 1 and 0; nil for others.
  fileprivate var flag: Bool? {
    switch self {
    case .bool(let flag): flag
    case .int32(let number) where number == 0 || number == 1: number == 1
    case .float(let number) where number == 0 || number == 1: number == 1
    default: nil
    }
  }

  /// True if a button is pressed, false if it is released; nil for other values.
  fileprivate var button: Bool? { self == .impulse ? true : flag }
}

extension OSCMessage {
  /// Creates the answer to a request for a property.
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
