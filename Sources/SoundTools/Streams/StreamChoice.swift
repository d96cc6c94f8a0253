// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import CommandOptions
internal import Downbeat
internal import Glibc
internal import PlayerControl
internal import SoundStreaming
internal import WholeFiles

/// What `sound play` is to play where there is an address among it: addresses and files, in order.
struct StreamChoice {
  /// The most that is read of a playlist, in bytes.
  private static let listBytes = 1 << 20

  private let takesPipes: Bool
  /// What is played.
  private(set) var items: [StreamPlayer.Item] = []
  /// What messages call each: no password.
  private(set) var names: [String] = []

  /// Finds the addresses among the words of a command line, and in playlists that these name; nil if
  /// they do not contain any.
  ///
  /// - Parameters:
  ///   - words: the words of the command line.
  ///   - takesPipes: whether standard input and other pipes are streams too.
  /// - Throws: `Failure` for what is no address of HTTP and no file, `FileError` where a playlist
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

  /// True if all sound is on this machine.
  var isLocal: Bool { !items.contains { $0.isAddress } }

  /// True if a word names a pipe, which sounds while it fills.
  private static func isPipe(_ word: String) -> Bool {
    guard word == "-" else { return FolderListing.kind(of: word) == .other }
    var status = stat()
    let isKnown = unsafe fstat(Console.current.inputDescriptor, &status) == 0
    return isKnown && status.st_mode & S_IFMT != S_IFREG
  }

  /// Whether a word was meant to be an address, and is neither one nor a file.
  private static func isMistyped(_ word: String) -> Bool {
    let start = word.prefix(6).lowercased()
    let starts = ["http:", "https:", "http//", "https/", "www."]
    let isMeant = starts.contains { start.hasPrefix($0) } || isHostWithPort(word)
    guard isMeant, !AddressSource.isAddress(word) else { return false }
    return !FolderListing.isThere(word)
  }

  /// True for a word such as `radio.example:8000/live`.
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

  /// Adds an address, or the file that a name means.
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
