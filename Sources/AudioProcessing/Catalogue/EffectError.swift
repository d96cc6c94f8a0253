// SPDX-License-Identifier: Apache-2.0

/// The reason that an effect cannot be created from a text.
public enum EffectError: Error, Hashable, Sendable {
  /// The text does not have an effect name.
  case noName
  /// The effect does not exist.
  ///
  /// The values are the requested name, similar names (`near`) and all names (`all`).
  case unknownEffect(String, near: [String], all: [String])
  /// The effect does not have this parameter.
  ///
  /// The values are the effect, the requested name, similar names (`near`) and all names (`all`).
  case unknownParameter(effect: String, String, near: [String], all: [String])
  /// A word of the text does not have the form `name=value`.
  case notSet(effect: String, String)
  /// The text sets a parameter twice.
  case setTwice(effect: String, String)
  /// The value is not a number, or its unit does not fit the parameter's measure.
  case noValue(effect: String, parameter: String, String, range: String)
  /// The value is outside the parameter's range.
  case outOfRange(effect: String, parameter: String, String, range: String)
  /// A setting that the effect requires is missing.
  case missing(effect: String, parameter: String)
  /// The impulse response cannot be read.
  case unreadable(effect: String, path: String, reason: String)
  /// The effect cannot be stored in a saved graph.
  case notSavable(effect: String)
  /// The library does not have the effect, or cannot create it.
  ///
  /// `reason` is the library's message.
  case unusable(effect: String, reason: String)
  /// A quotation mark of the text is not closed.
  case openQuote(String)
}

extension EffectError: CustomStringConvertible {
  /// One line for the user: the effect, the fault and the remedy.
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
