// SPDX-License-Identifier: Apache-2.0
internal import CZlib

/// Decompresses gzip data, as in songs that are distributed as `.mid.gz`.
///
/// Source: RFC 1952.
@safe
struct Gunzip: ~Copyable {
  private static let chunk = 1 << 16
  /// The maximum number of decompressed bytes for each compressed byte: songs reach 10, zeros 1000.
  private static let mostForOne = 64

  private let name: String
  private let limit: Int
  // zlib keeps the address of its stream, which therefore must not move.
  private let stream: UnsafeMutablePointer<z_stream>
  private var unpacked: [UInt8] = []

  /// Returns true if the bytes begin like gzip data.
  static func recognizes(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: [0x1F, 0x8B, 0x08])
  }

  /// Decompresses all members of gzip data; truncated data gives the bytes before the cut.
  ///
  /// - Throws: `FileError.tooLarge` above the limit; `FileError.swells` above 64 times the
  ///   compressed size and 1 MiB; `FileError.unreadable` if the data is damaged.
  static func unpack(_ bytes: [UInt8], name: String, limit: Int) throws(FileError) -> [UInt8] {
    var gunzip = try Gunzip(name: name, limit: limit)
    var input = bytes
    try gunzip.run(&input)
    return gunzip.unpacked
  }

  private init(name: String, limit: Int) throws(FileError) {
    self.name = name
    self.limit = limit
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    // A window of 15 bits; adding 16 selects the gzip format.
    let size = unsafe Int32(MemoryLayout<z_stream>.size)
    guard unsafe inflateInit2_(stream, 15 + 16, ZLIB_VERSION, size) == Z_OK else {
      throw .unreadable(name, reason: "not enough memory to unpack it")
    }
  }

  deinit {
    unsafe inflateEnd(stream)
    unsafe stream.deallocate()
  }

  private mutating func run(_ input: inout [UInt8]) throws(FileError) {
    let bound = max(1 << 20, input.count * Self.mostForOne)
    var done = 0
    while done < input.count {
      let before = unpacked.count
      let (read, code) = step(&input, from: done)
      done += read
      guard unpacked.count <= limit else { throw .tooLarge(name, limit: limit) }
      guard unpacked.count <= bound else { throw .swells(name) }
      switch code {
      case Z_STREAM_END: unsafe inflateReset(stream)
      case Z_OK where read > 0 || unpacked.count > before: continue
      case Z_OK, Z_BUF_ERROR: return
      default:
        // Other bytes after a complete member are ignored, as gzip does.
        guard unpacked.isEmpty else { return }
        throw .unreadable(name, reason: "its gzip data is damaged (download it again)")
      }
    }
  }

  /// Decompresses up to one chunk; returns the number of bytes used and zlib's code.
  private mutating func step(_ input: inout [UInt8], from start: Int) -> (read: Int, code: Int32) {
    var code = Z_OK
    let before = unpacked.count
    unpacked.append(contentsOf: repeatElement(0, count: Self.chunk))
    let available = min(input.count - start, Int(UInt32.max))
    let stream = unsafe stream
    unsafe input.withUnsafeMutableBufferPointer { source in
      unsafe unpacked.withUnsafeMutableBufferPointer { target in
        unsafe stream.pointee.next_in = source.baseAddress.map { unsafe $0 + start }
        unsafe stream.pointee.avail_in = UInt32(available)
        unsafe stream.pointee.next_out = target.baseAddress.map { unsafe $0 + before }
        unsafe stream.pointee.avail_out = UInt32(Self.chunk)
        code = unsafe inflate(stream, Z_NO_FLUSH)
      }
    }
    unpacked.removeLast(Int(unsafe stream.pointee.avail_out))
    return (available - Int(unsafe stream.pointee.avail_in), code)
  }
}
