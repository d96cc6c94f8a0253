// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import Glibc
internal import WholeFiles

/// What the sounds of songs are called: one file as it was named, or one for each in a folder.
struct RenderOutputs {
  /// The names in the order of the songs.
  private let paths: [String]
  /// The folders that were made for this, each before those in it.
  private let made: [String]

  /// Finds the names, and makes the folders.
  ///
  /// - Parameters:
  ///   - options: what is asked for.
  ///   - songs: the songs.
  /// - Throws: `Failure` where two would have one name, or a folder cannot be made.
  init(_ options: Render, _ songs: [SongEntry]) throws(Failure) {
    let output = options.outputDir ?? options.output ?? ""
    let isFolder = output != "-" && FolderListing.isFolder(output)
    guard options.outputDir != nil || songs.count > 1 || isFolder && options.stems == nil else {
      (paths, made) = ([output], [])
      return
    }
    guard isFolder || !FolderListing.isThere(output) else {
      throw Failure(.noOutput, "\(output): is no folder, and there are several songs")
    }
    let suffix = options.stems == nil ? ".\((options.file.format ?? .wav).suffixes[0])" : ""
    let names = songs.map { $0.folders + Self.name($0.path) }
    var seen: Set<String> = []
    if let twice = names.first(where: { !seen.insert($0).inserted }) {
      throw Failure(.usage, "\(twice): two songs would have this name in \(output)")
    }
    paths = names.map { FolderListing.path(output, $0 + suffix) }
    made = try Self.makeFolders(output, songs)
  }

  /// What the sound of a song is called, by the song's number.
  func path(at index: Int) -> String { paths[index] }

  /// Takes folders away again that were made in vain.
  func cleanUp() {
    // One that holds anything stays.
    for folder in made.reversed() { unsafe _ = rmdir(folder) }
  }

  /// Makes a folder, and those in it that songs lie in; returns those that were not there.
  private static func makeFolders(
    _ output: String, _ songs: [SongEntry]
  ) throws(Failure) -> [String] {
    var wanted = [output]
    for folders in Set(songs.map(\.folders)) {
      for slash in folders.indices where folders[slash] == "/" {
        wanted.append(FolderListing.path(output, String(folders[..<slash])))
      }
    }
    var made: [String] = []
    // A folder comes before those in it.
    for folder in Set(wanted).sorted() {
      guard unsafe mkdir(folder, 0o777) != 0 else {
        made.append(folder)
        continue
      }
      let code = errno
      if !FolderListing.isFolder(folder) {
        let reason = systemMessage(code)
        for folder in made.reversed() { unsafe _ = rmdir(folder) }
        throw Failure(.noOutput, "\(folder): \(reason)")
      }
    }
    return made
  }

  /// A song's name without folder and suffix.
  private static func name(_ song: String) -> String {
    guard song != "-" else { return "song" }
    let last = song.split(separator: "/").last.map(String.init) ?? "song"
    guard let dot = last.lastIndex(of: "."), dot > last.startIndex else { return last }
    return String(last[..<dot])
  }
}
