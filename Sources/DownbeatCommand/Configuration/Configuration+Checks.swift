// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import Downbeat
internal import JSONText

extension Configuration {
  /// Whether no file says anything, not even something that cannot be read.
  var isEmpty: Bool { settings.isEmpty && troubles.isEmpty }

  /// The profiles that the files have, in the order of their letters.
  var profiles: [String] {
    Set(settings.filter { $0.path.count > 2 && $0.path[0] == "profile" }.map { $0.path[1] })
      .sorted()
  }

  /// Refuses files that are no TOML: what they ask for is not known.
  ///
  /// - Throws: `Failure` with status 78.
  func refuseMalformed() throws(Failure) {
    for trouble in troubles {
      guard case .malformed = trouble else { continue }
      throw Failure(
        .configuration,
        "\(trouble) (fix it with downbeat config edit, or ignore it with DOWNBEAT_CONFIG=)")
    }
  }

  /// Refuses a profile that no file has.
  ///
  /// - Throws: `Failure` with status 78.
  func checkProfile(_ name: String) throws(Failure) {
    guard !profiles.contains(name) else { return }
    let near = NearestNames.nearest(to: name, among: profiles).map { "did you mean \($0)? " } ?? ""
    let known =
      profiles.isEmpty
      ? "no profiles are defined" : "profiles: \(profiles.joined(separator: ", "))"
    throw Failure(.configuration, "profile '\(name)': not defined (\(near)\(known))")
  }
}
