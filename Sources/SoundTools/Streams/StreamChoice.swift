// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import CommandOptions
internal import Downbeat
internal import Glibc
internal import PlayerControl
internal import SoundStreaming
internal import WholeFiles

/// The addresses and files for `sound play`, in order, if there is at least one address among them.
struct StreamChoice {
  /// The maximum number of bytes that are read of a playlist.
  private static let listBytes = 1 << 20

  private let takesPipes: Bool
  /// The items to play.
  private(set) var items: [StreamPlayer.Item] = []
  /// The names of the items in messages, without passwords.
  private(set) var names: [String] = []

  /// Finds the addresses among the words of a command line, and in playlists among them; nil
  /// without any.
  ///
  /// - Parameters:
  ///   - words: The words of the command line.
  ///   - takesPipes: True if standard input and other pipes are also streams.
  /// - Throws: `Failure` if a word is neither an HTTP address nor a file; `FileError` if a playlist
  ///   cannot be read.
  init?(_ words: [String], takesPipes: Bool) throws {
    self.takesPipes = takesPipes
    if let word = words.first(where: Self.isMistyped) {
      throw Failure(.usage, "\(word): no such file, and not a web address (http://…)")
    }
    let isStream = { word in
      AddressSource.isAddress(word) || PlaylistText.form(of: word) != nil
        || takesPipes && Self.isPipe(word)
    }
    guard words.contains(where: isStream) else { return nil }
    for word in words {
      if !AddressSource.isAddress(word), let form = PlaylistText.form(of: word) {
        try add(list: word, form)
      } else {
        try add(word) { () throws(FileAddress.Trouble) in try FileAddress(word, in: "") }
      }
    }
  }

  /// Selects some of the items.
  ///
  /// - Parameter indices: The indices of the items that are kept.
  /// - Returns: The choice with these items.
  func keeping(_ indices: [Int]) -> StreamChoice {
    var kept = self
    kept.items = indices.map { items[$0] }
    kept.names = indices.map { names[$0] }
    return kept
  }

  /// True if none of the items is a web address.
  var isLocal: Bool { !items.contains { $0.isAddress } }

  /// Returns true if a word names a pipe, which plays while data are received.
  private static func isPipe(_ word: String) -> Bool {
    guard word == "-" else { return FolderListing.kind(of: word) == .other }
    var status = stat()
    let isKnown = unsafe fstat(Console.current.inputDescriptor, &status) == 0
    return isKnown && status.st_mode & S_IFMT != S_IFREG
  }

  /// Returns true if a word looks like an address, but is neither a valid one nor a file.
  private static func isMistyped(_ word: String) -> Bool {
    let start = word.prefix(6).lowercased()
    let starts = ["http:", "https:", "http//", "https/", "www."]
    let isMeant = starts.contains { start.hasPrefix($0) } || isHostWithPort(word)
    guard isMeant, !AddressSource.isAddress(word) else { return false }
    return !FolderListing.isThere(word)
  }

  /// Returns true for a word such as `radio.example:8000/live`.
  private static func isHostWithPort(_ word: String) -> Bool {
    let parts = word.prefix { $0 != "/" }.split(separator: ":", omittingEmptySubsequences: false)
    return parts.count == 2 && !parts[0].isEmpty && UInt16(parts[1]) != nil
  }

  private mutating func add(list: String, _ form: PlaylistText.Form) throws {
    let bytes = try InputFile(startOf: list, limit: Self.listBytes).bytes
    let folder = list.lastIndex(of: "/").map { String(list[...$0]) } ?? ""
    let count = items.count
    for item in PlaylistText(bytes, form) {
      try add(item.name) { () throws(FileAddress.Trouble) in try FileAddress(item, in: folder) }
      guard case .file(let path)? = items.last, FolderListing.kind(of: path) == .other else {
        continue
      }
      throw Failure(
        .noInput,
        "\(list): line \(item.line): \(item.name): is a pipe or a device (give it on "
          + "the command line)")
    }
    guard items.count > count else { throw Failure(.badData, "\(list): contains nothing to play") }
  }

  /// Adds an address, or a file with a name.
  private mutating func add(
    _ name: String, _ file: () throws(FileAddress.Trouble) -> FileAddress
  ) throws {
    if AddressSource.isAddress(name) {
      names.append(try HTTPSource.check(name))
      items.append(.address(name))
      return
    }
    if name == "-", takesPipes {
      names.append("standard input")
      let descriptor = Console.current.inputDescriptor
      return items.append(.pipe(descriptor: descriptor, name: "standard input"))
    }
    guard name != "-" else {
      throw Failure(.usage, "-: standard input and web addresses cannot be played together")
    }
    do {
      let path = try file().path
      names.append(path)
      items.append(.file(path: path))
    } catch {
      throw Failure(.noInput, "\(name): \(error)")
    }
  }
}

extension StreamPlayer.Item {
  /// The path of a file; nil for an address.
  var path: String? {
    if case .file(let path) = self { path } else { nil }
  }

  /// True if it is a web address.
  var isAddress: Bool {
    if case .address = self { true } else { false }
  }
}
