// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import Glibc

/// What the sounds of songs are called: one file as it was named, or one for each in a folder.
struct RenderOutputs {
  /// The folder, where there is one; and whether it was made for this.
  private let folder: String?
  private let isNew: Bool
  private let output: String
  private let suffix: String

  init(_ options: Render) throws {
    output = options.output
    suffix =
      options.stems == nil ? ".\((options.file.format ?? .wav).suffixes[0])" : ""
    var status = stat()
    let isThere = unsafe output != "-" && stat(output, &status) == 0
    let isFolder = isThere && status.st_mode & S_IFMT == S_IFDIR
    guard options.paths.count > 1 || isFolder && options.stems == nil else {
      (folder, isNew) = (nil, false)
      return
    }
    guard !isThere || isFolder else {
      throw Failure(.noOutput, "\(output): is no folder, and there are several songs")
    }
    (folder, isNew) = (output, !isThere)
    let names = options.paths.map(Self.name)
    if let twice = names.first(where: { name in names.count { $0 == name } > 1 }) {
      throw Failure(.usage, "\(twice): two songs would have this name in \(output)")
    }
    if isNew {
      guard unsafe mkdir(output, 0o777) == 0 else {
        throw Failure(.noOutput, "\(output): \(unsafe String(cString: strerror(errno)))")
      }
    }
  }

  /// What the sound of a song is called.
  func path(for song: String) -> String {
    folder.map { "\($0)/\(Self.name(song))\(suffix)" } ?? output
  }

  /// Takes the folder away again where it was made in vain.
  func cleanUp() {
    // One that holds anything stays.
    if isNew, let folder { unsafe _ = rmdir(folder) }
  }

  /// A song's name without folder and suffix.
  private static func name(_ song: String) -> String {
    guard song != "-" else { return "song" }
    let last = song.split(separator: "/").last.map(String.init) ?? "song"
    guard let dot = last.lastIndex(of: "."), dot > last.startIndex else { return last }
    return String(last[..<dot])
  }
}
