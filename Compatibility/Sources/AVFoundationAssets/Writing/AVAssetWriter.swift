// SPDX-License-Identifier: Apache-2.0
public import CoreMedia
internal import Dispatch
public import Foundation

/// Writes sample buffers into a sound file.
///
/// The file has a temporary name until it is finished; a writer that is cancelled, fails or is freed
/// leaves nothing behind.
///
/// - Note: Any thread.
open class AVAssetWriter: NSObject, @unchecked Sendable {
  // Unchecked: what changes is used under the lock, and the file on the queue.

  /// The state of a writer.
  public enum Status: Int, Sendable {
    /// It has not started.
    case unknown = 0
    /// It writes.
    case writing = 1
    /// The file is complete.
    case completed = 2
    /// The file cannot be written; `error` has the reason.
    case failed = 3
    /// `cancelWriting` was called.
    case cancelled = 4
  }

  /// The file.
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

  /// Prepares a file.
  ///
  /// - Parameters:
  ///   - outputURL: The file.
  ///   - outputFileType: The type: `.wav`, `.caf`, `.aiff`, `.aifc`, `.m4a`, `.mp4`, `.mp3`, `.au`.
  /// - Throws: An `AVError`: `fileFormatNotRecognized` for another type, `operationNotAllowed` for an
  ///   address.
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

  /// Prepares a file.
  ///
  /// - Parameters:
  ///   - outputURL: The file.
  ///   - outputFileType: The type.
  /// - Throws: As `init(url:fileType:)`.
  public convenience init(outputURL: URL, fileType outputFileType: AVFileType) throws {
    try self.init(url: outputURL, fileType: outputFileType)
  }

  /// The state.
  open var status: Status { lock.withLock { state } }

  /// The reason of the state `failed`; otherwise nil.
  open var error: (any Error)? { lock.withLock { fault } }

  /// The kinds of media that are written: sound.
  open var availableMediaTypes: [AVMediaType] { [.audio] }

  /// The inputs: none or one.
  open var inputs: [AVAssetWriterInput] { lock.withLock { list } }

  /// Texts of the file under common keys, to be set before `startWriting`.
  open var metadata: [AVMetadataItem] {
    get { lock.withLock { items } }
    set { lock.withLock { if state == .unknown { items = newValue } } }
  }

  /// Stored; files are always written in one order.
  open var shouldOptimizeForNetworkUse: Bool {
    get { lock.withLock { optimizes } }
    set { lock.withLock { optimizes = newValue } }
  }

  /// Returns true if an input can have settings.
  ///
  /// - Parameters:
  ///   - outputSettings: The settings; nil to write samples as they are.
  ///   - mediaType: The kind of media.
  /// - Returns: True for settings that the file type supports.
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
  /// - Parameter input: An input of sound.
  /// - Returns: False after the start, for a second input, for another kind of media, and for settings
  ///   that the file type does not support.
  open func canAdd(_ input: AVAssetWriterInput) -> Bool {
    status == .unknown && inputs.isEmpty && !input.hasWriter
      && canApply(outputSettings: input.outputSettings, forMediaType: input.mediaType)
  }

  /// Adds an input; one that cannot be added is a programming error.
  ///
  /// - Parameter input: The input.
  open func add(_ input: AVAssetWriterInput) {
    precondition(canAdd(input) && input.join(self), "the input cannot be added to the writer")
    lock.withLock { list.append(input) }
  }

  /// Begins the file.
  ///
  /// - Returns: False if a file has the name, if its folder does not exist or cannot be written to,
  ///   without inputs, and for a writer that has started before; `error` has the reason.
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

  /// Begins the session: samples before the time are left out.
  ///
  /// The first samples after the time follow silence; later ones follow one another, whatever their
  /// times.
  ///
  /// - Parameter startTime: The time of the first frame of the file, on the samples' line of time.
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
  /// - Parameter endTime: Not used: samples that were appended are kept.
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

  /// Removes what was written so far; no file is left when the call returns.
  ///
  /// A writer that has not started, is complete or has failed stays as it is, and one that writes the
  /// end of its file completes it.
  open func cancelWriting() {
    let isCancelled = lock.withLock {
      guard state == .writing, !isClosing else { return false }
      state = .cancelled
      return true
    }
    if isCancelled { queue.sync { target = nil } }
  }

  /// Writes the end and gives the file its name.
  ///
  /// - Parameter handler: Is called on a queue; `status` is then `completed`, `failed` or `cancelled`.
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

  /// Writes the end and gives the file its name.
  ///
  /// `status` is afterwards `completed`, `failed` or `cancelled`.
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
