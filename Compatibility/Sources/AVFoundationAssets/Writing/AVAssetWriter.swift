// SPDX-License-Identifier: Apache-2.0
public import CoreMedia
internal import Dispatch
public import Foundation

/// Writes sample buffers to an audio file.
///
/// The file has a temporary name until it is complete. If the writer is cancelled, fails or is
/// freed, no file remains.
///
/// - Note: Any thread.
open class AVAssetWriter: NSObject, @unchecked Sendable {
  // Unchecked: what changes is used under the lock, and the file on the queue.

  /// The state of a writer.
  public enum Status: Int, Sendable {
    /// Writing has not started.
    case unknown = 0
    /// The writer is writing.
    case writing = 1
    /// The file is complete.
    case completed = 2
    /// Writing has failed, for the reason in `error`.
    case failed = 3
    /// Writing was cancelled with `cancelWriting`.
    case cancelled = 4
  }

  /// The location of the file.
  public let outputURL: URL
  /// The type of the file.
  public let outputFileType: AVFileType
  private let path: String
  private let lock = NSLock()
  private let queue = DispatchQueue(label: "asset writer")
  private var state = Status.unknown
  private var fault: AVError?
  private var list: [AVAssetWriterInput] = []
  private var start: CMTime?
  private var isFinishing = false
  /// True once the end is written, which is not cancelled any more.
  private var isClosing = false
  private var items: [AVMetadataItem] = []
  private var optimizes = false
  /// Used on the queue only.
  private var target: (any WritingTarget)?

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - outputURL: The location of the file.
  ///   - outputFileType: The file type: `.wav`, `.caf`, `.aiff`, `.aifc`, `.m4a`, `.mp4`, `.mp3` or
  ///     `.au`.
  /// - Throws: An `AVError`: `fileFormatNotRecognized` for another type, `operationNotAllowed` if
  ///   the URL is not a file URL.
  public init(url outputURL: URL, fileType outputFileType: AVFileType) throws {
    guard let path = AssetSource(outputURL).path else {
      throw AVError(.operationNotAllowed, "\(outputURL): not a file")
    }
    guard outputFileType.kind != nil else {
      throw AVError(
        .fileFormatNotRecognized, "\(outputFileType.rawValue): this type is not written")
    }
    (self.outputURL, self.outputFileType, self.path) = (outputURL, outputFileType, path)
    super.init()
  }

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - outputURL: The location of the file.
  ///   - outputFileType: The file type, as in `init(url:fileType:)`.
  /// - Throws: An `AVError`, as `init(url:fileType:)` does.
  public convenience init(outputURL: URL, fileType outputFileType: AVFileType) throws {
    try self.init(url: outputURL, fileType: outputFileType)
  }

  /// The state of the writer.
  open var status: Status { lock.withLock { state } }

  /// The reason for the failure if `status` is `failed`; otherwise nil.
  open var error: (any Error)? { lock.withLock { fault } }

  /// The media types that can be written: audio.
  open var availableMediaTypes: [AVMediaType] { [.audio] }

  /// The inputs: none or one.
  open var inputs: [AVAssetWriterInput] { lock.withLock { list } }

  /// The metadata of the file; set it before `startWriting`.
  ///
  /// Items with a common key are written.
  open var metadata: [AVMetadataItem] {
    get { lock.withLock { items } }
    set { lock.withLock { if state == .unknown { items = newValue } } }
  }

  /// True to arrange the file for streaming.
  ///
  /// The value is ignored.
  open var shouldOptimizeForNetworkUse: Bool {
    get { lock.withLock { optimizes } }
    set { lock.withLock { optimizes = newValue } }
  }

  /// Returns true if an input can use settings.
  ///
  /// - Parameters:
  ///   - outputSettings: The settings; nil to write samples as they are.
  ///   - mediaType: The media type.
  /// - Returns: True if the file type supports the settings.
  open func canApply(
    outputSettings: [String: Any]?, forMediaType mediaType: AVMediaType
  ) -> Bool {
    guard mediaType == .audio else { return false }
    guard let outputSettings,
      let samples = AVAudioFormat(
        commonFormat: .pcmFormatFloat32, sampleRate: 44_100, channels: 2, interleaved: true)
    else { return outputSettings == nil }
    do {
      _ = try plan(outputSettings, .zero)?.fileTarget(samples)
      return true
    } catch {
      return false
    }
  }

  /// Returns true if an input can be added.
  ///
  /// - Parameter input: The input.
  /// - Returns: False if writing has started, if the writer already has an input, if the media type
  ///   is not audio, or if the file type does not support the settings.
  open func canAdd(_ input: AVAssetWriterInput) -> Bool {
    status == .unknown && inputs.isEmpty && !input.hasWriter
      && canApply(outputSettings: input.outputSettings, forMediaType: input.mediaType)
  }

  /// Adds an input; it is a programming error to add one for which `canAdd` returns false.
  ///
  /// - Parameter input: The input.
  open func add(_ input: AVAssetWriterInput) {
    precondition(canAdd(input) && input.join(self), "the input cannot be added to the writer")
    lock.withLock { list.append(input) }
  }

  /// Creates the file, and starts writing.
  ///
  /// - Returns: False if a file with this name already exists, if the folder does not exist or is
  ///   not writable, if the writer does not have an input, or if it has been started before; see
  ///   `error`.
  @discardableResult
  open func startWriting() -> Bool {
    guard status == .unknown, !inputs.isEmpty else { return false }
    do {
      try OutputPlace.check(path)
    } catch {
      fail(error)
      return false
    }
    return lock.withLock {
      guard state == .unknown else { return false }
      state = .writing
      return true
    }
  }

  /// Starts a session at a time: samples before the time are left out.
  ///
  /// If the first samples are later than the time, the file begins with silence. All further
  /// samples follow without gaps, whatever their times are.
  ///
  /// - Parameter startTime: The time of the first frame of the file, on the timeline of the
  ///   samples.
  open func startSession(atSourceTime startTime: CMTime) {
    let inputs = lock.withLock { () -> [AVAssetWriterInput] in
      guard state == .writing, start == nil else { return [] }
      start = startTime.isNumeric ? startTime : .zero
      return list
    }
    for input in inputs { input.callBlock() }
  }

  /// Ends the session.
  ///
  /// - Parameter endTime: Ignored: samples that were appended are kept.
  open func endSession(atSourceTime endTime: CMTime) {}

  /// True if samples can be appended.
  var isInSession: Bool { lock.withLock { state == .writing && start != nil && !isFinishing } }

  private func plan(_ settings: [String: Any]?, _ start: CMTime) -> WritingPlan? {
    guard let kind = outputFileType.kind else { return nil }
    let metadata = MetadataTexts.metadata(metadata)
    return WritingPlan(
      path: path, kind: kind, settings: settings, metadata: metadata, start: start)
  }

  /// Writes samples on the queue.
  func write(_ buffer: CMSampleBuffer, from input: AVAssetWriterInput) {
    queue.async { [self] in
      defer { input.noteWritten() }
      guard status == .writing else { return }
      do {
        try open(buffer, input)?.append(buffer)
      } catch {
        fail(AVError.of(error))
      }
    }
  }

  /// The file, which the first samples open.
  private func open(
    _ buffer: CMSampleBuffer, _ input: AVAssetWriterInput
  ) throws(AVError) -> (any WritingTarget)? {
    if let target { return target }
    guard let format = buffer.formatDescription ?? input.sourceFormatHint else {
      throw AVError(.invalidSourceMedia, "the samples do not state their format")
    }
    let begin: CMTime? = lock.withLock { start }
    target = try plan(input.outputSettings, begin ?? .zero)?.target(format)
    return target
  }

  private func fail(_ error: AVError) {
    let inputs = lock.withLock { () -> [AVAssetWriterInput] in
      guard state == .unknown || state == .writing else { return [] }
      (state, fault) = (.failed, error)
      return list
    }
    // This removes the unfinished file.
    queue.async { [self] in target = nil }
    for input in inputs { input.callBlock(hasFailed: true) }
  }

  /// Cancels writing and removes the unfinished file, before the call returns.
  ///
  /// The call is ignored if the writer has not started, is complete or has failed. If the writer
  /// is already finishing the file, the file is completed.
  open func cancelWriting() {
    let isCancelled = lock.withLock {
      guard state == .writing, !isClosing else { return false }
      state = .cancelled
      return true
    }
    if isCancelled { queue.sync { target = nil } }
  }

  /// Finishes the file and gives it its final name.
  ///
  /// - Parameter handler: Called on a global queue; `status` is then `completed`, `failed` or
  ///   `cancelled`.
  open func finishWriting(completionHandler handler: @escaping @Sendable () -> Void) {
    let inputs = lock.withLock { () -> [AVAssetWriterInput] in
      isFinishing = true
      return list
    }
    for input in inputs { input.markAsFinished() }
    queue.async { [self] in
      finish()
      DispatchQueue.global().async(execute: handler)
    }
  }

  /// Finishes the file and gives it its final name; on return `status` is `completed`, `failed` or
  /// `cancelled`.
  open func finishWriting() async {
    await withCheckedContinuation { continuation in
      finishWriting { continuation.resume() }
    }
  }

  private func finish() {
    let mayClose = lock.withLock {
      isClosing = state == .writing
      return isClosing
    }
    guard mayClose else { return }
    do {
      guard let target else { throw AVError(.noDataCaptured, "\(path): no samples were appended") }
      try target.finish()
      lock.withLock { state = .completed }
    } catch {
      fail(AVError.of(error))
    }
    target = nil
  }
}
