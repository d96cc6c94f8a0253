// SPDX-License-Identifier: Apache-2.0
internal import SystemPackages

/// The reason that an LV2 plug-in cannot be found, loaded or used.
public enum LV2Error: Error, Hashable, Sendable {
  /// Lilv is not installed or is too old; `reason` is the loader's message.
  case libraryMissing(reason: String)
  /// A bundle does not contain a readable plug-in.
  case emptyBundle(path: String)
  /// Two bundles contain a plug-in with the same URI; the plug-in of the bundle in `first` is used.
  case twice(uri: String, path: String, first: String)
  /// The name is unknown; `near` contains similar names.
  case noSuchPlugin(String, near: [String])
  /// The name matches several plug-ins, whose URIs are given.
  case ambiguous(String, uris: [String])
  /// The plug-in requires something that is not supported.
  case refused(uri: String, LV2Refusal)
  /// The plug-in does not have an audio input, so it is not an effect.
  case notEffect(uri: String)
  /// The plug-in's library cannot be loaded; `reason` is the loader's message.
  case cannotLoad(uri: String, reason: String)
  /// The plug-in cannot be instantiated; `words` is the last log message of the plug-in, and may be
  /// empty.
  case cannotStart(uri: String, words: String)
  /// The program that tests plug-ins cannot be run.
  case cannotTry(command: String, reason: String)
  /// The preset's name is unknown; `all` contains the plug-in's presets.
  case noSuchPreset(uri: String, String, all: [String])
  /// A state does not belong to the plug-in, or cannot be saved or read.
  case badState(uri: String, reason: String)
}

extension LV2Error: CustomStringConvertible {
  /// One line for the user: the plug-in, the fault and the remedy.
  public var description: String {
    switch self {
    case .libraryMissing:
      "liblilv: not installed (\(SystemPackage.lilv.installation()))"
    case .emptyBundle(let path):
      "\(path): .ttl files are missing or damaged (reinstall the plug-in)"
    case .twice(let uri, let path, let first):
      "\(path): \(uri) is ignored, because it is also in \(first) (remove one of the two)"
    case .noSuchPlugin(let name, let near):
      "\(name): unknown plug-in"
        + (near.isEmpty
          ? " (install it, or add its folder to LV2_PATH)"
          : " (did you mean \(near.joined(separator: " or "))?)")
    case .ambiguous(let name, let uris):
      "\(name): matches several plug-ins (use a URI: \(uris.joined(separator: ", ")))"
    case .refused(let uri, let refusal):
      "\(uri): cannot be used: \(refusal)"
    case .notEffect(let uri):
      "\(uri): not an effect (it lacks an audio input)"
    case .cannotLoad(let uri, let reason):
      "\(uri): cannot be loaded: \(reason)"
    case .cannotStart(let uri, let words):
      "\(uri): cannot be started" + (words.isEmpty ? "" : ": \(words)")
    case .cannotTry(let command, let reason):
      "\(command): cannot test plug-ins: \(reason)"
    case .noSuchPreset(let uri, let name, let all):
      "\(uri): unknown preset \(name)"
        + (all.isEmpty
          ? " (it does not have presets)"
          : " (available: \(all.prefix(12).joined(separator: ", ")))")
    case .badState(let uri, let reason):
      "\(uri): the state cannot be restored: \(reason)"
    }
  }
}
