// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import Downbeat
internal import JSONText

extension Configuration {
  /// True if all files are empty, and none contains errors.
  var isEmpty: Bool { settings.isEmpty && troubles.isEmpty }

  /// The names of the profiles in the files, in alphabetical order.
  var profiles: [String] {
    Set(settings.filter { $0.path.count > 2 && $0.path[0] == "profile" }.map { $0.path[1] })
      .sorted()
  }

  /// Fails if a file is not valid TOML, because its settings are then unknown.
  ///
  /// - Throws: `Failure` with exit status 78.
  func refuseMalformed() throws(Failure) {
    for trouble in troubles {
      guard case .malformed = trouble else { continue }
      throw Failure(
        .configuration,
        "\(trouble) (fix it with downbeat config edit, or ignore it with DOWNBEAT_CONFIG=)")
    }
  }

  /// Checks that a profile is defined in a file.
  ///
  /// - Throws: `Failure` with exit status 78 if it is not defined.
  func checkProfile(_ name: String) throws(Failure) {
    guard !profiles.contains(name) else { return }
    let near = NearestNames.nearest(to: name, among: profiles).map { "did you mean \($0)? " } ?? ""
    let known =
      profiles.isEmpty
      ? "no profiles are defined" : "profiles: \(profiles.joined(separator: ", "))"
    throw Failure(.configuration, "profile '\(name)': not defined (\(near)\(known))")
  }
}
