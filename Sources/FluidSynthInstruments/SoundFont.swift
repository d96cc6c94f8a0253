// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A soundfont file whose frame has been found whole: SF2, or SF3 with compressed samples.
///
/// The check takes microseconds whatever the size; the sounds are read by the instrument.
///
/// Source: SoundFont 2.04, section 4.
public struct SoundFont: Hashable, Sendable {
  /// The file's name.
  public let path: String
  /// Its length in bytes.
  public let byteCount: Int

  /// Looks at a file.
  ///
  /// - Throws: `InstrumentError` where it is missing, a folder, empty, something else, or cut
  ///   short.
  public init(path: String) throws(InstrumentError) {
    let file = try File(path: path)
    let length = try file.length()
    guard length > 0 else { throw .notSoundFont(path: path, reason: "the file is empty") }
    guard let head = file.chunk(at: 0), head.name == "RIFF", head.kind == "sfbk" else {
      throw .notSoundFont(path: path, reason: "it does not begin with RIFF and sfbk")
    }
    guard head.end <= length else {
      throw .truncated(path: path, byteCount: length, expected: head.end)
    }
    try Self.checkLists(file, end: head.end)
    self.path = path
    byteCount = length
  }

  /// Finds the three lists every soundfont has, one after the other.
  private static func checkLists(_ file: File, end: Int) throws(InstrumentError) {
    var place = 12
    for kind in ["INFO", "sdta", "pdta"] {
      guard let list = file.chunk(at: place), list.name == "LIST", list.kind == kind else {
        throw .broken(path: file.path, reason: "the list \(kind) is not at byte \(place)")
      }
      guard list.end <= end else {
        throw .broken(path: file.path, reason: "the list \(kind) runs past the end of the file")
      }
      place = list.end
    }
  }
}

/// The head of a RIFF chunk.
private struct Chunk {
  let name: String
  let kind: String
  /// The first byte after it.
  let end: Int
}

/// A file open for a look.
private final class File {
  let path: String
  private let descriptor: Int32

  init(path: String) throws(InstrumentError) {
    self.path = path
    descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    if descriptor < 0 { throw .cannotOpen(path: path, code: errno) }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  func length() throws(InstrumentError) -> Int {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      throw .cannotOpen(path: path, code: errno)
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return Int(status.st_size)
    case S_IFDIR: throw .cannotOpen(path: path, code: EISDIR)
    default: throw .notSoundFont(path: path, reason: "it is not a regular file")
    }
  }

  /// The chunk whose head begins at a byte, or nil at the end of the file.
  func chunk(at offset: Int) -> Chunk? {
    var head = [UInt8](repeating: 0, count: 12)
    guard unsafe pread(descriptor, &head, 12, offset) == 12 else { return nil }
    let size = (4..<8).reversed().reduce(0) { $0 << 8 | Int(head[$1]) }
    return Chunk(
      name: String(decoding: head[0..<4], as: UTF8.self),
      kind: String(decoding: head[8..<12], as: UTF8.self),
      end: offset + 8 + size + size % 2)
  }
}
