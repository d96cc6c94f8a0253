// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import PlayerControl
internal import WholeFiles

extension SoundPlay {
  /// Returns the command with the sound files of each folder instead of the folder.
  ///
  /// - Returns: The command, and true if no file was left out.
  /// - Throws: A failure if a folder contains no sound file, or if folders are used with `--at`.
  func expandingFolders() throws -> (command: Self, isComplete: Bool) {
    var expanded = self
    var isComplete = true
    expanded.files = try files.flatMap { file in
      guard FolderListing.isFolder(file) else { return [file] }
      guard at.isEmpty else {
        throw Failure(.usage, "\(file): is a folder (with --at name the files)")
      }
      let (sounds, omitted) = try SongCollector([file], of: .sounds).told()
      if omitted.status != .success { isComplete = false }
      return sounds.map(\.path)
    }
    return (expanded, isComplete)
  }
}
