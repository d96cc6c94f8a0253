// SPDX-License-Identifier: Apache-2.0
package import PlayerControl

extension SongEntry {
  /// A failure about the song, preceded by the line of the playlist that names it.
  package func failure(_ failure: any FailureDescribing) -> Failure {
    let place = mention.map { "\($0.list): line \($0.line): " } ?? ""
    return Failure(
      failure.exitStatus, "\(place)\(failure)", options: failure.options,
      concernsMachine: failure.concernsMachine)
  }
}
