// SPDX-License-Identifier: Apache-2.0
internal import CSndFile
internal import Glibc

/// The owner of libsndfile's handle and of the stream below it.
@safe
struct SoundFileHandle: ~Copyable {
  /// The stream below.
  let stream: FileStream
  /// Frames, channels and rate.
  let shape: SF_INFO
  private let library: UnsafePointer<CSndFileTable>
  private var handle: OpaquePointer?

  /// Opens a sound file over a stream.
  ///
  /// - Throws: libsndfile's words where it refuses, `SoundFileError.libraryMissing` without it.
  init(
    _ stream: FileStream, mode: Int, shape wanted: SF_INFO, path: String
  ) throws(SoundFileError) {
    guard let library = unsafe csndfile_table() else {
      throw unsafe .libraryMissing(reason: String(cString: csndfile_missing()))
    }
    var shape = wanted
    guard let handle = unsafe stream.open(library, mode: mode, shape: &shape) else {
      throw unsafe .notSoundFile(path: path, reason: Self.reason(library, nil))
    }
    self.stream = stream
    self.shape = shape
    unsafe self.library = library
    unsafe self.handle = handle
  }

  /// Refuses the beginning of a file that no container begins with; leaves it at its end.
  ///
  /// What is wrong further on is seen when the whole is there. Behind an ID3 tag, which may be
  /// long, anything may follow.
  static func judge(beginning stream: FileStream, path: String) throws(SoundFileError) {
    defer { _ = stream.seek(0, SEEK_END) }
    guard SoundContent(of: stream) == .other else { return }
    var head: [UInt8] = [0, 0, 0]
    _ = stream.seek(0, SEEK_SET)
    _ = unsafe head.withUnsafeMutableBytes { bytes in
      unsafe bytes.baseAddress.map { unsafe stream.read($0, bytes.count) } ?? 0
    }
    _ = stream.seek(0, SEEK_SET)
    guard head != Array("ID3".utf8), let library = unsafe csndfile_table() else { return }
    var shape = SF_INFO()
    if let handle = unsafe stream.open(library, mode: SFM_READ, shape: &shape) {
      unsafe _ = library.pointee.close(handle)
    } else if unsafe library.pointee.error(nil) == SF_ERR_UNRECOGNISED_FORMAT {
      throw unsafe .notSoundFile(path: path, reason: Self.reason(library, nil))
    }
  }

  deinit {
    if let handle = unsafe handle { unsafe _ = library.pointee.close(handle) }
  }

  /// Writes what is still held back and lets go; the stream stays open.
  ///
  /// Returns false where the codec failed.
  mutating func close() -> Bool {
    guard let handle = unsafe handle else { return true }
    unsafe self.handle = nil
    return unsafe library.pointee.close(handle) == 0
  }

  /// What libsndfile says went wrong last.
  var reason: String { unsafe Self.reason(library, handle) }

  /// Gives an order that takes a yes or a no.
  func set(_ command: Int, _ value: Bool) {
    _ = unsafe library.pointee.command(handle, Int32(command), nil, value ? 1 : 0)
  }

  /// Gives an order that takes a number.
  func set(_ command: Int, _ value: Double) {
    var value = value
    let size = Int32(MemoryLayout<Double>.size)
    _ = unsafe library.pointee.command(handle, Int32(command), &value, size)
  }

  /// Gives an order with a block of memory; returns what libsndfile does.
  func command(_ command: Int, _ block: UnsafeMutableRawPointer?, _ size: Int) -> Int32 {
    unsafe library.pointee.command(handle, Int32(command), block, Int32(size))
  }

  /// A text of the file, or nil.
  func text(_ code: Int) -> String? {
    guard let text = unsafe library.pointee.get_string(handle, Int32(code)) else { return nil }
    return unsafe String(cString: text)
  }

  /// Gives the file a text, where its container holds texts.
  func set(_ code: Int, _ text: String) {
    _ = unsafe library.pointee.set_string(handle, Int32(code), text)
  }

  /// Writes frames of single precision; returns how many went out.
  func write(_ samples: UnsafePointer<Float>, frameCount: Int) -> Int {
    unsafe Int(library.pointee.writef_float(handle, samples, Int64(frameCount)))
  }

  /// Writes frames of double precision; returns how many went out.
  func write(_ samples: UnsafePointer<Double>, frameCount: Int) -> Int {
    unsafe Int(library.pointee.writef_double(handle, samples, Int64(frameCount)))
  }

  /// Writes frames of integers, of which the file keeps the upper bits; returns how many went out.
  func write(_ samples: UnsafePointer<Int32>, frameCount: Int) -> Int {
    unsafe Int(library.pointee.writef_int(handle, samples, Int64(frameCount)))
  }

  /// Reads frames of a type; returns how many there were.
  func read(_ samples: UnsafeMutableRawPointer, as type: SampleType, frameCount: Int) -> Int {
    let count = Int64(frameCount)
    let done =
      switch type {
      case .integer16:
        unsafe library.pointee.readf_short(
          handle, samples.assumingMemoryBound(to: Int16.self), count)
      case .integer32:
        unsafe library.pointee.readf_int(handle, samples.assumingMemoryBound(to: Int32.self), count)
      case .float32:
        unsafe library.pointee.readf_float(
          handle, samples.assumingMemoryBound(to: Float.self), count)
      case .float64:
        unsafe library.pointee.readf_double(
          handle, samples.assumingMemoryBound(to: Double.self), count)
      }
    return Int(max(0, done))
  }

  /// Goes to a frame; returns false where the file does not let itself.
  func seek(to frame: Int64) -> Bool {
    unsafe library.pointee.seek(handle, frame, SEEK_SET) == frame
  }

  /// What libsndfile calls a container or an encoding, by its number.
  static func name(ofFormat code: Int) -> String? {
    guard let library = unsafe csndfile_table() else { return nil }
    var block = unsafe SF_FORMAT_INFO()
    unsafe block.format = Int32(code)
    let size = unsafe Int32(MemoryLayout<SF_FORMAT_INFO>.size)
    guard unsafe library.pointee.command(nil, Int32(SFC_GET_FORMAT_INFO), &block, size) == 0,
      let name = unsafe block.name
    else { return nil }
    return unsafe String(cString: name)
  }

  /// The numbers of libsndfile's containers or encodings, by the commands that list them.
  static func formats(count: Int, get: Int) -> [(code: Int, name: String)] {
    guard let library = unsafe csndfile_table() else { return [] }
    var total: Int32 = 0
    _ = unsafe library.pointee.command(nil, Int32(count), &total, Int32(MemoryLayout<Int32>.size))
    return (0..<total).compactMap { index in
      var block = unsafe SF_FORMAT_INFO()
      unsafe block.format = index
      let size = unsafe Int32(MemoryLayout<SF_FORMAT_INFO>.size)
      guard unsafe library.pointee.command(nil, Int32(get), &block, size) == 0,
        let name = unsafe block.name
      else { return nil }
      return unsafe (Int(block.format), String(cString: name))
    }
  }

  /// Whether libsndfile can write such a file.
  static func canWrite(_ shape: SF_INFO) -> Bool {
    var shape = shape
    guard let library = unsafe csndfile_table() else { return true }
    return unsafe library.pointee.format_check(&shape) != 0
  }

  private static func reason(
    _ library: UnsafePointer<CSndFileTable>, _ handle: OpaquePointer?
  ) -> String {
    guard let text = unsafe library.pointee.strerror(handle) else { return "no reason given" }
    let words = unsafe String(cString: text)
    return (words.hasSuffix(".") ? String(words.dropLast()) : words).lowercased()
  }
}
