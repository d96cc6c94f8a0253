// SPDX-License-Identifier: Apache-2.0

/// Why an effect cannot be made of a text.
public enum EffectError: Error, Hashable, Sendable {
  /// The text names no effect.
  case noName
  /// There is no such effect; those that are near it, or all.
  case unknownEffect(String, near: [String], all: [String])
  /// The effect has no such parameter; those that are near it, or all.
  case unknownParameter(effect: String, String, near: [String], all: [String])
  /// A word is not a name, `=` and a value.
  case notSet(effect: String, String)
  /// A parameter is set twice.
  case setTwice(effect: String, String)
  /// What is set is no value of the parameter's measure.
  case noValue(effect: String, parameter: String, String, range: String)
  /// The value is outside the range.
  case outOfRange(effect: String, parameter: String, String, range: String)
  /// The effect needs what was not set.
  case missing(effect: String, parameter: String)
  /// An impulse response cannot be read.
  case unreadable(effect: String, path: String, reason: String)
  /// The effect cannot be part of a saved graph.
  case notSavable(effect: String)
  /// A library has no such effect, or cannot make it; in its own words.
  case unusable(effect: String, reason: String)
  /// A quotation mark is not followed by a second.
  case openQuote(String)
}

extension EffectError: CustomStringConvertible {
  /// The sentence for the user.
  public var description: String {
    switch self {
    case .noName:
      "effect: no name (write it first: 'reverb mix=0.3')"
    case .unknownEffect(let name, let near, let all):
      "\(name): unknown effect" + Self.hint(near, all)
    case .unknownParameter(let effect, let name, let near, let all):
      "\(effect): unknown parameter \(name)" + Self.hint(near, all)
    case .notSet(let effect, let word):
      "\(effect): \(word) is not a setting (write a parameter, = and a value: mix=0.3)"
    case .setTwice(let effect, let name):
      "\(effect): \(name) is set twice (remove one)"
    case .noValue(let effect, let parameter, let text, let range):
      "\(effect): \(parameter)=\(text) is not a valid value (use \(range))"
    case .outOfRange(let effect, let parameter, let text, let range):
      "\(effect): \(parameter)=\(text) is out of range (use \(range))"
    case .missing(let effect, let parameter):
      "\(effect): \(parameter) is not set (add \(parameter)=…)"
    case .unreadable(let effect, let path, let reason):
      "\(effect): \(path): \(reason)"
    case .notSavable(let effect):
      "\(effect): cannot be saved in a chain (a chain does not store impulse responses)"
    case .unusable(let effect, let reason):
      "\(effect): \(reason)"
    case .openQuote(let text):
      "effect: \(text): closing quotation mark is missing"
    }
  }

  private static func hint(_ near: [String], _ all: [String]) -> String {
    near.isEmpty
      ? all.isEmpty ? "" : " (available: \(all.joined(separator: ", ")))"
      : " (did you mean \(near.joined(separator: " or "))?)"
  }
}
