// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioToolboxFiles
internal import CoreAudio
internal import Foundation

/// The open file of an `AVAudioFile`, for one thread at a time.
final class FileAccess: UnfinishedFile, @unchecked Sendable {
  enum Mode {
    case reading(FileReading)
    case writing(FileWriting)
    case closed
  }

  /// Every access to the mode, and to the reader and writer, holds the lock.
  private let lock = NSLock()
  private var mode: Mode
  /// The length and the position at the end.
  private var last: (length: Int64, position: Int64) = (0, 0)

  init(_ mode: Mode) {
    self.mode = mode
    if case .writing = mode { FilesAtExit.insert(self) }
  }

  var isOpen: Bool {
    lock.withLock {
      if case .closed = mode { false } else { true }
    }
  }

  func close() {
    lock.withLock { closeFile() }
    FilesAtExit.remove(self)
  }

  /// Closes the file, unless another thread uses it for a second.
  func completeAtExit() {
    guard lock.lock(before: Date(timeIntervalSinceNow: 1)) else { return }
    defer { lock.unlock() }
    closeFile()
  }

  private func closeFile() {
    if case .closed = mode { return }
    last = (currentLength, currentPosition)
    if case .writing(let writing) = mode { writing.finish() }
    mode = .closed
  }

  var length: Int64 { lock.withLock { currentLength } }

  private var currentLength: Int64 {
    switch mode {
    case .reading(let reading): reading.length
    case .writing(let writing): writing.length
    case .closed: last.length
    }
  }

  var position: Int64 {
    get { lock.withLock { currentPosition } }
    set {
      lock.withLock {
        if case .reading(let reading) = mode { reading.move(to: newValue) }
      }
    }
  }

  private var currentPosition: Int64 {
    switch mode {
    case .reading(let reading): reading.position
    case .writing(let writing): writing.length
    case .closed: last.position
    }
  }

  func read(
    into buffer: AVAudioPCMBuffer, _ count: AVAudioFrameCount, as format: AVAudioFormat
  ) throws {
    let call = "read(into:)"
    try check(buffer, format, call)
    try lock.withLock {
      switch mode {
      case .reading(let reading): reading.read(into: buffer, Int(count))
      case .writing: throw AVFAudioError.error(kAudioFilePermissionsError, call: call)
      case .closed: throw AVFAudioError.error(kAudioFileNotOpenError, call: call)
      }
    }
  }

  func write(from buffer: AVAudioPCMBuffer, as format: AVAudioFormat) throws {
    let call = "write(from:)"
    try check(buffer, format, call)
    try lock.withLock {
      switch mode {
      case .writing(let writing): try writing.write(from: buffer)
      case .reading: throw AVFAudioError.error(kAudioFilePermissionsError, call: call)
      case .closed: throw AVFAudioError.error(kAudioFileNotOpenError, call: call)
      }
    }
  }

  private func check(_ buffer: AVAudioPCMBuffer, _ format: AVAudioFormat, _ call: String) throws {
    guard buffer.format.isEqual(format) else {
      throw AVFAudioError.error(
        kAudio_ParamError, call: call,
        reason: "the format of the buffer (\(buffer.format.asbd.words)) is not the processing"
          + " format of the file (\(format.asbd.words))")
    }
  }
}
