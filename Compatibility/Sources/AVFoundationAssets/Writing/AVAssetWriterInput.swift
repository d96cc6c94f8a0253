// SPDX-License-Identifier: Apache-2.0
public import CoreMedia
public import Dispatch
public import Foundation

/// An input of a writer, to which you append sample buffers.
///
/// - Note: Any thread; append on one thread at a time.
open class AVAssetWriterInput: NSObject, @unchecked Sendable {
  // Unchecked: what changes is used under the lock.

  /// The media type of the input.
  public let mediaType: AVMediaType
  /// The settings of the encoded audio, by keys such as `AVFormatIDKey`; nil to write samples as
  /// they are.
  public let outputSettings: [String: Any]?
  /// The format of the samples that you are going to append; nil if it was not given.
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
  ///   - mediaType: The media type; writers accept only `.audio`.
  ///   - outputSettings: The settings of the encoded audio; nil to write samples as they are.
  public convenience init(mediaType: AVMediaType, outputSettings: [String: Any]?) {
    self.init(mediaType: mediaType, outputSettings: outputSettings, sourceFormatHint: nil)
  }

  /// Creates an input.
  ///
  /// - Parameters:
  ///   - mediaType: The media type; writers accept only `.audio`.
  ///   - outputSettings: The settings of the encoded audio; nil to write samples as they are. If
  ///     the sample rate or the number of channels is missing, that of the samples is used.
  ///   - sourceFormatHint: The format of the samples; may be nil.
  public init(
    mediaType: AVMediaType, outputSettings: [String: Any]?, sourceFormatHint: CMFormatDescription?
  ) {
    (self.mediaType, self.outputSettings) = (mediaType, outputSettings)
    self.sourceFormatHint = sourceFormatHint
    super.init()
  }

  /// True if you append samples while they are recorded; false by default.
  ///
  /// If true, more buffers can wait to be written.
  open var expectsMediaDataInRealTime: Bool {
    get { lock.withLock { isRealTime } }
    set { lock.withLock { isRealTime = newValue } }
  }

  /// True if the input can accept more samples now.
  open var isReadyForMoreMediaData: Bool {
    let writer = lock.withLock { self.writer }
    guard writer?.isInSession == true else { return false }
    return lock.withLock { hasRoom }
  }

  private var hasRoom: Bool {
    !isFinished && waiting < (isRealTime ? Self.limits.realTime : Self.limits.usual)
  }

  /// Appends samples, which another thread writes to the file.
  ///
  /// - Parameter sampleBuffer: Frames of PCM, or packets if `outputSettings` is nil.
  /// - Returns: False if the input is not ready, or the writer has failed; see `error` of the
  ///   writer.
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

  /// Declares that no more samples will be appended.
  open func markAsFinished() {
    lock.withLock {
      isFinished = true
      request = nil
    }
  }

  /// Calls a block repeatedly whenever the input can accept more samples.
  ///
  /// - Parameters:
  ///   - queue: The queue on which the block is called.
  ///   - block: Appends samples while `isReadyForMoreMediaData` is true, and calls `markAsFinished`
  ///     after the last samples.
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
