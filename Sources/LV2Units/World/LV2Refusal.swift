// SPDX-License-Identifier: Apache-2.0

/// What a plug-in needs that is not here.
public enum LV2Refusal: Hashable, Sendable {
  /// A feature of the host, by its URI.
  case feature(String)
  /// An option that the host is to give, by its URI.
  case option(String)
  /// A port that must be connected, of a type that is not known here.
  case port(symbol: String, type: String)
  /// It makes no sound: neither an effect nor an instrument.
  case noSound
  /// What its files say of it is incomplete.
  case incomplete
  /// It was tried, and did not work; in the words of the error.
  case fails(reason: String)
  /// It was tried in a process of its own, and did not survive.
  case crashes(how: String)
}

extension LV2Refusal: CustomStringConvertible {
  /// The sentence for the user, without the plug-in's name.
  public var description: String {
    switch self {
    case .feature(let uri): "it needs the feature \(uri), which is not supported"
    case .option(let uri): "it needs the option \(uri), which is not supported"
    case .port(let symbol, let type):
      "its port \(symbol) must be connected, but the type \(type) is not supported"
    case .noSound: "it lacks an audio output"
    case .incomplete: "its description files are incomplete (reinstall it)"
    case .fails(let reason): "it failed a test run: \(reason)"
    case .crashes(let how): "it crashed in a test run: \(how)"
    }
  }
}
