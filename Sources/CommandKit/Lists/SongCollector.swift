// SPDX-License-Identifier: Apache-2.0
internal import Downbeat
internal import Glibc
package import PlayerControl
internal import SoundStreaming
internal import WholeFiles

/// Collects the songs or sounds that arguments name: files, folders with all subfolders, and
/// playlists.
///
/// Files are not opened; `leaveOutUnreadable()` checks that they exist. For each argument, a folder
/// or playlist is read only once, so circular references end. Pipes and devices are left out unless
/// the command line names them, because opening them may block.
package struct SongCollector {
  /// A file, folder or playlist that is left out.
  package struct Omission {
    /// The reason.
    package let failure: Failure
    /// Its path, as it was named.
    package let path: String
  }

  /// The maximum number of songs in a run.
  static let mostSongs = 250_000
  /// The maximum number of bytes that are read of a playlist.
  package static let mostBytes = 16 << 20
  /// The deepest nesting of folders and playlists.
  private static let deepest = 64
  /// The maximum number of omissions that are kept.
  private static let mostTroubles = 20

  /// The songs in order.
  package private(set) var songs: [SongEntry] = []
  /// The first omitted files, folders and playlists.
  package private(set) var omissions: [Omission] = []
  /// The reasons of the omissions.
  package var troubles: [Failure] { omissions.map(\.failure) }
  /// The number of omissions that were not kept.
  private(set) var omittedTroubles = 0
  /// The kind of files that are collected.
  package let kind: ListedFiles
  /// True if arguments may be web addresses; addresses in playlists are always left out.
  private let takesAddresses: Bool
  private var seen: Set<FolderListing.Identity> = []
  private var depth = 0
  /// The number of playlist entries so far.
  private var mentionCount = 0
  /// True if there were more songs than the limit.
  private var isFull = false

  /// Collects the files that arguments name.
  ///
  /// - Parameters:
  ///   - words: Files, folders, playlists or `file:` URLs; `-` is standard input.
  ///   - kind: The kind of files that are collected from folders; songs by default.
  ///   - takesAddresses: True if an argument may be a web address; false by default.
  /// - Complexity: O(n log n) in the names of a folder, O(n) in the bytes of a playlist.
  package init(
    _ words: [String], of kind: ListedFiles = .songs, takesAddresses: Bool = false
  ) {
    (self.kind, self.takesAddresses) = (kind, takesAddresses)
    for word in words {
      seen = []
      add(word)
    }
  }

  private mutating func add(_ word: String) {
    guard word != "-" else { return append(SongEntry(path: word)) }
    if takesAddresses, let scheme = FileAddress.scheme(of: word), scheme.hasPrefix("http") {
      return addAddress(word)
    }
    do throws(FileAddress.Trouble) {
      let path = try FileAddress.scheme(of: word) == nil ? word : FileAddress(word, in: "").path
      // A file named on the command line may be a pipe, such as <(command) in a shell.
      add(SongEntry(path: path), FolderListing.isFolder(path) ? .folder : .file)
    } catch {
      add(Failure(.noInput, "\(word): \(error)"), of: word)
    }
  }

  /// Adds a web address.
  private mutating func addAddress(_ word: String) {
    do throws(HTTPError) {
      try HTTPSource.check(word)
      append(SongEntry(path: word))
    } catch {
      add(Failure(.usage, "\(error)"), of: word)
    }
  }

  /// Adds a song, or the contents of a folder or a playlist.
  private mutating func add(_ entry: SongEntry, _ kind: FolderListing.Kind) {
    guard kind != .other else {
      return leaveOut(entry, .noInput, "is a pipe or a device (name it on the command line)")
    }
    let form = kind == .folder ? nil : PlaylistText.form(of: entry.path)
    guard kind == .folder || form != nil else { return append(entry) }
    guard depth < Self.deepest else {
      return leaveOut(
        entry, .badData, "lists and folders are nested more than \(Self.deepest) deep")
    }
    if let identity = FolderListing.Identity(of: entry.path) {
      guard seen.insert(identity).inserted else {
        return leaveOut(entry, .partial, "skipped, already in this list")
      }
    }
    depth += 1
    if let form { addPlaylist(entry, form) } else { addFolder(entry) }
    depth -= 1
  }

  private mutating func append(_ entry: SongEntry) {
    guard songs.count == Self.mostSongs else { return songs.append(entry) }
    endList(at: entry)
  }

  /// Leaves out an entry and all entries after it.
  private mutating func endList(at entry: SongEntry) {
    guard !isFull else { return }
    isFull = true
    leaveOut(
      entry, .badData, "skipped, with all entries after it: more than 250000 \(kind.noun.several)")
  }

  private mutating func leaveOut(_ entry: SongEntry, _ status: ExitStatus, _ reason: String) {
    guard omissions.count < Self.mostTroubles else { return omittedTroubles += 1 }
    let shown = entry.path.count > 200 ? entry.path.prefix(200) + "…" : entry.path[...]
    add(entry.failure(Failure(status, "\(shown): \(reason)")), of: entry.path)
  }

  private mutating func add(_ failure: Failure, of path: String) {
    guard omissions.count < Self.mostTroubles else { return omittedTroubles += 1 }
    omissions.append(Omission(failure: failure, path: path))
  }

  /// Leaves out the songs whose files are missing or may not be read, without opening files.
  ///
  /// - Complexity: O(n) in the songs, with one system call for each.
  package mutating func leaveOutUnreadable() {
    songs = songs.filter { song in
      guard song.path != "-", !takesAddresses || FileAddress.scheme(of: song.path) == nil,
        let error = FileError(accessing: song.path)
      else { return true }
      // Creating the description may read a folder.
      guard omissions.count < Self.mostTroubles else {
        omittedTroubles += 1
        return false
      }
      add(song.failure(error), of: song.path)
      return false
    }
  }

  private mutating func addFolder(_ folder: SongEntry) {
    do throws(WholeFileError) {
      let count = songs.count
      for name in try names(in: folder.path) where !isFull {
        var entry = folder
        entry.path = FolderListing.path(folder.path, name.name)
        if name.isFolder { entry.folders += "\(name.name)/" }
        add(entry, name.kind)
      }
      if songs.count == count, folder.folders.isEmpty {
        let ends = kind == .songs ? ".mid, .kar, .rmi" : ".wav, .flac, .mp3, .m4a"
        leaveOut(
          folder, .noInput, "contains no \(kind.noun.several) (files ending in \(ends), …)")
      }
    } catch {
      let reason =
        if case .refused(let code) = error { systemMessage(code) } else { "" }
      leaveOut(folder, .noInput, "cannot be read: \(reason)")
    }
  }

  /// The files and folders in a folder, in natural order, without hidden ones.
  private func names(in folder: String) throws(WholeFileError) -> [FolderListing.Entry] {
    try FolderListing.entries(in: folder)
      .filter { !$0.name.hasPrefix(".") && ($0.isFolder || kind.holds($0.name)) }
      .sorted { NaturalOrder(name: $0.name) < NaturalOrder(name: $1.name) }
  }

  private mutating func addPlaylist(_ list: SongEntry, _ form: PlaylistText.Form) {
    do throws(FileError) {
      let bytes = try InputFile(startOf: list.path, limit: Self.mostBytes + 1).bytes
      let isCut = bytes.count > Self.mostBytes
      var text = PlaylistText(bytes, form)
      let folder = list.path.lastIndex(of: "/").map { String(list.path[...$0]) } ?? ""
      while !isFull, let item = text.next() {
        // The last line of a truncated list may be incomplete.
        if isCut, text.isAtEnd { break }
        add(item, of: list.path, in: folder)
      }
      guard isCut else { return }
      let reason = "the list is longer than \(Self.mostBytes >> 20) MiB; the rest is skipped"
      leaveOut(list, .badData, "line \(text.line): \(reason)")
    } catch {
      add(list.failure(error), of: list.path)
    }
  }

  /// Adds the entry of a playlist.
  private mutating func add(_ item: PlaylistText.Item, of list: String, in folder: String) {
    let mention = SongEntry.Mention(list: list, line: item.line)
    mentionCount += 1
    guard mentionCount <= Self.mostSongs else {
      return endList(at: SongEntry(path: item.name, mention: mention))
    }
    do throws(FileAddress.Trouble) {
      let path = try FileAddress(item, in: folder).path
      let entry = SongEntry(path: path, title: item.title, mention: mention)
      add(entry, FolderListing.kind(of: path))
    } catch {
      let entry = SongEntry(path: item.name, mention: mention)
      leaveOut(entry, .noInput, "\(error)")
    }
  }
}
