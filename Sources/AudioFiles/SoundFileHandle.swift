// SPDX-License-Identifier: Apache-2.0
internal import CSndFile
internal import Glibc

/// Owns libsndfile's handle, and the stream that it uses.
@safe
struct SoundFileHandle: ~Copyable {
  /// The stream that libsndfile uses.
  let stream: FileStream
  /// The number of frames, the channels and the rate.
  let shape: SF_INFO
  private let library: UnsafePointer<CSndFileTable>
  private var handle: OpaquePointer?

  /// Opens a sound file on a stream.
  ///
  /// - Throws: `SoundFileError` with libsndfile's reason, or `.libraryMissing` without libsndfile.
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

  /// Throws an error if the start of a file does not match any container; seeks to its end.
  ///
  /// Later parts are checked when the file is complete. After an ID3 tag, which can be long, any
  /// data is accepted.
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

  /// Writes the remaining output and closes the handle; the stream stays open.
  ///
  /// Returns false if the codec fails.
  mutating func close() -> Bool {
    guard let handle = unsafe handle else { return true }
    unsafe self.handle = nil
    return unsafe library.pointee.close(handle) == 0
  }

  /// libsndfile's reason of the last failure.
  var reason: String { unsafe Self.reason(library, handle) }

  /// Sends a command with a Boolean.
  func set(_ command: Int, _ value: Bool) {
    _ = unsafe library.pointee.command(handle, Int32(command), nil, value ? 1 : 0)
  }

  /// Sends a command with a number.
  func set(_ command: Int, _ value: Double) {
    var value = value
    let size = Int32(MemoryLayout<Double>.size)
    _ = unsafe library.pointee.command(handle, Int32(command), &value, size)
  }

  /// Sends a command with a block of memory; returns libsndfile's result.
  func command(_ command: Int, _ block: UnsafeMutableRawPointer?, _ size: Int) -> Int32 {
    unsafe library.pointee.command(handle, Int32(command), block, Int32(size))
  }

  /// A text of the file, or nil.
  func text(_ code: Int) -> String? {
    guard let text = unsafe library.pointee.get_string(handle, Int32(code)) else { return nil }
    return unsafe String(cString: text)
  }

  /// Sets a text of the file, if its container supports texts.
  func set(_ code: Int, _ text: String) {
    _ = unsafe library.pointee.set_string(handle, Int32(code), text)
  }

  /// Writes single-precision frames; returns the number written.
  func write(_ samples: UnsafePointer<Float>, frameCount: Int) -> Int {
    unsafe Int(library.pointee.writef_float(handle, samples, Int64(frameCount)))
  }

  /// Writes double-precision frames; returns the number written.
  func write(_ samples: UnsafePointer<Double>, frameCount: Int) -> Int {
    unsafe Int(library.pointee.writef_double(handle, samples, Int64(frameCount)))
  }

  /// Writes integer frames, of which the file stores the upper bits; returns the number written.
  func write(_ samples: UnsafePointer<Int32>, frameCount: Int) -> Int {
    unsafe Int(library.pointee.writef_int(handle, samples, Int64(frameCount)))
  }

  /// Reads frames of a type; returns the number read.
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

  /// Seeks to a frame; returns false if the file does not support it.
  func seek(to frame: Int64) -> Bool {
    unsafe library.pointee.seek(handle, frame, SEEK_SET) == frame
  }

  /// libsndfile's name of a container or an encoding, by its number.
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

  /// The numbers and names of libsndfile's containers or encodings, from the commands that list
  /// them.
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

  /// Returns true if libsndfile can write a file of this format.
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
