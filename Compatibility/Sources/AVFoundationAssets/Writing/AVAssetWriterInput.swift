// SPDX-License-Identifier: Apache-2.0
public import CoreMedia
public import Dispatch
public import Foundation

/// An input of a writer, to which a program appends sample buffers.
///
/// - Note: Any thread; one thread at a time appends.
open class AVAssetWriterInput: NSObject, @unchecked Sendable {
  // Unchecked: what changes is used under the lock.

  /// The kind of media.
  public let mediaType: AVMediaType
  /// The settings of the file, by keys such as `AVFormatIDKey`; nil to write samples as they are.
  public let outputSettings: [String: Any]?
  /// The format of the samples that the program announces, or nil.
  public let sourceFormatHint: CMFormatDescription?
  private let lock = NSLock()
  private weak var writer: AVAssetWriter?
  private var isRealTime = false
  private var isFinished = false
  /// Buffers that are appended and not written yet.
  private var waiting = 0
  private var request: (queue: DispatchQueue, block: @Sendable () -> Void)?
  /// True while the block runs, or is about to.
  private var isCalling = false
  private var appendCount = 0

  /// Buffers that wait at most: of real-time sources, and of others.
  private static let limits = (realTime: 1024, usual: 16)

  /// Creates an input.
  ///
  /// - Parameters:
  ///   - mediaType: The kind of media; a writer accepts `.audio`.
  ///   - outputSettings: The settings of the file; nil to write samples as they are.
  public convenience init(mediaType: AVMediaType, outputSettings: [String: Any]?) {
    self.init(mediaType: mediaType, outputSettings: outputSettings, sourceFormatHint: nil)
  }

  /// Creates an input.
  ///
  /// - Parameters:
  ///   - mediaType: The kind of media; a writer accepts `.audio`.
  ///   - outputSettings: The settings of the file; nil to write samples as they are. A sample rate and
  ///     channels that are missing are those of the samples.
  ///   - sourceFormatHint: The format of the samples, or nil.
  public init(
    mediaType: AVMediaType, outputSettings: [String: Any]?, sourceFormatHint: CMFormatDescription?
  ) {
    (self.mediaType, self.outputSettings) = (mediaType, outputSettings)
    self.sourceFormatHint = sourceFormatHint
    super.init()
  }

  /// True if samples are appended as they are recorded; false by default.
  ///
  /// More buffers may then wait to be written.
  open var expectsMediaDataInRealTime: Bool {
    get { lock.withLock { isRealTime } }
    set { lock.withLock { isRealTime = newValue } }
  }

  /// True if samples can be appended at this time.
  open var isReadyForMoreMediaData: Bool {
    let writer = lock.withLock { self.writer }
    guard writer?.isInSession == true else { return false }
    return lock.withLock { hasRoom }
  }

  private var hasRoom: Bool {
    !isFinished && waiting < (isRealTime ? Self.limits.realTime : Self.limits.usual)
  }

  /// Appends samples, which are written on another thread.
  ///
  /// - Parameter sampleBuffer: Frames of PCM, or packets if `outputSettings` is nil.
  /// - Returns: False if the input is not ready, or the writer has failed: `error` of the writer has
  ///   the reason.
  @discardableResult
  open func append(_ sampleBuffer: CMSampleBuffer) -> Bool {
    let writer = lock.withLock { self.writer }
    guard let writer, writer.isInSession else { return false }
    let isTaken = lock.withLock {
      guard hasRoom else { return false }
      waiting += 1
      appendCount += 1
      return true
    }
    if isTaken { writer.write(sampleBuffer, from: self) }
    return isTaken
  }

  /// Ends the samples of the input.
  open func markAsFinished() {
    lock.withLock {
      isFinished = true
      request = nil
    }
  }

  /// Calls a block again and again while the input can be appended to.
  ///
  /// - Parameters:
  ///   - queue: The queue on which the block is called.
  ///   - block: Appends samples while `isReadyForMoreMediaData` is true, and calls `markAsFinished`
  ///     after the last.
  open func requestMediaDataWhenReady(
    on queue: DispatchQueue, using block: @escaping @Sendable () -> Void
  ) {
    lock.withLock { request = (queue, block) }
    callBlock()
  }

  /// Joins a writer; false if the input has one.
  func join(_ writer: AVAssetWriter) -> Bool {
    lock.withLock {
      guard self.writer == nil else { return false }
      self.writer = writer
      return true
    }
  }

  /// True if the input has a writer.
  var hasWriter: Bool { lock.withLock { writer != nil } }

  /// Notes that a buffer was written.
  func noteWritten() {
    let isLow = lock.withLock {
      waiting -= 1
      return waiting <= Self.limits.usual / 2
    }
    if isLow { callBlock() }
  }

  /// Calls the program's block on its queue, if it waits for that.
  ///
  /// - Parameter hasFailed: True for a last call, in which a program finds that the writer failed.
  func callBlock(hasFailed: Bool = false) {
    guard hasFailed || isReadyForMoreMediaData else { return }
    let call = lock.withLock { () -> (queue: DispatchQueue, block: @Sendable () -> Void)? in
      guard !isCalling, let request else { return nil }
      isCalling = true
      return request
    }
    guard let call else { return }
    call.queue.async { [self] in
      let before = lock.withLock { appendCount }
      call.block()
      finishCall(before, call.queue)
    }
  }

  /// Calls the block again after it returned: later if it did not have samples.
  private func finishCall(_ before: Int, _ queue: DispatchQueue) {
    let (hasAppended, isDone) = lock.withLock {
      isCalling = false
      return (appendCount > before, isFinished)
    }
    if isDone { return }
    if hasAppended { return callBlock() }
    queue.asyncAfter(deadline: .now() + .milliseconds(10)) { [weak self] in self?.callBlock() }
  }
}
