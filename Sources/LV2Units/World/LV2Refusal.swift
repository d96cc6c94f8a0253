// SPDX-License-Identifier: Apache-2.0

/// The reason that a plug-in cannot be used.
public enum LV2Refusal: Hashable, Sendable {
  /// The plug-in requires a feature that is not supported, given by its URI.
  case feature(String)
  /// The plug-in requires an option that is not supported, given by its URI.
  case option(String)
  /// A port that must be connected has a type that is not supported.
  case port(symbol: String, type: String)
  /// The plug-in does not have an audio output, so it is neither an effect nor an instrument.
  case noSound
  /// The plug-in's description files are incomplete.
  case incomplete
  /// The plug-in failed a test run; `reason` is the error message.
  case fails(reason: String)
  /// The plug-in crashed or ended the process in a test run; `how` describes it.
  case crashes(how: String)
}

extension LV2Refusal: CustomStringConvertible {
  /// The reason as a phrase for the user, without the name of the plug-in.
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
