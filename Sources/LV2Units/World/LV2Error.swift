// SPDX-License-Identifier: Apache-2.0
internal import SystemPackages

/// Why an LV2 plug-in cannot be found, loaded or used.
public enum LV2Error: Error, Hashable, Sendable {
  /// Lilv is not installed, or too old; the loader's words.
  case libraryMissing(reason: String)
  /// No plug-in can be read of a bundle.
  case emptyBundle(path: String)
  /// Two bundles have a plug-in of one URI; that of the first is used.
  case twice(uri: String, path: String, first: String)
  /// There is no plug-in of this name; those that are near it.
  case noSuchPlugin(String, near: [String])
  /// Several plug-ins are meant by a name: their URIs.
  case ambiguous(String, uris: [String])
  /// The plug-in needs what is not here.
  case refused(uri: String, LV2Refusal)
  /// The plug-in hears no sound.
  case notEffect(uri: String)
  /// The plug-in's library cannot be loaded; the loader's words.
  case cannotLoad(uri: String, reason: String)
  /// The plug-in makes no instance of itself; its last words, which may be none.
  case cannotStart(uri: String, words: String)
  /// The program that is to try plug-ins cannot be run.
  case cannotTry(command: String, reason: String)
  /// There is no preset of this name; those there are.
  case noSuchPreset(uri: String, String, all: [String])
  /// A text is no state of the plug-in.
  case badState(uri: String, reason: String)
}

extension LV2Error: CustomStringConvertible {
  /// The sentence for the user.
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
