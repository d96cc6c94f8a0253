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

  /// Writes frames of single precision; returns how many went out.
  func write(_ samples: UnsafePointer<Float>, frameCount: Int) -> Int {
    unsafe Int(library.pointee.writef_float(handle, samples, Int64(frameCount)))
  }

  /// Writes frames of integers, of which the file keeps the upper bits; returns how many went out.
  func write(_ samples: UnsafePointer<Int32>, frameCount: Int) -> Int {
    unsafe Int(library.pointee.writef_int(handle, samples, Int64(frameCount)))
  }

  /// Reads frames of single precision; returns how many there were.
  func read(_ samples: UnsafeMutablePointer<Float>, frameCount: Int) -> Int {
    unsafe Int(library.pointee.readf_float(handle, samples, Int64(frameCount)))
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
