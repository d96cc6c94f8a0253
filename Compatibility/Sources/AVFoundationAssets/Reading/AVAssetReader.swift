// SPDX-License-Identifier: Apache-2.0
public import CoreMedia
public import Foundation

/// Reads the audio of a file as sample buffers.
///
/// - Note: Any thread; use each output on one thread at a time.
open class AVAssetReader: NSObject, @unchecked Sendable {
  // Unchecked: what is stored is used under the lock.

  /// The state of a reader.
  public enum Status: Int, Sendable {
    /// Reading has not started.
    case unknown = 0
    /// The reader is reading.
    case reading = 1
    /// All samples have been read.
    case completed = 2
    /// Reading has failed, for the reason in `error`.
    case failed = 3
    /// Reading was cancelled with `cancelReading`.
    case cancelled = 4
  }

  /// The asset that is read.
  public let asset: AVAsset
  private let lock = NSLock()
  private var state = Status.unknown
  private var fault: AVError?
  private var range = CMTimeRange(start: .zero, duration: .positiveInfinity)
  private var list: [AVAssetReaderOutput] = []
  private var ended: Set<ObjectIdentifier> = []

  /// Creates a reader for an asset.
  ///
  /// - Parameter asset: An asset of a file.
  /// - Throws: An `AVError` if the file cannot be read; `operationNotSupportedForAsset` for an
  ///   address.
  public init(asset: AVAsset) throws {
    self.asset = asset
    super.init()
    guard asset.source.path != nil else {
      throw AVError(
        .operationNotSupportedForAsset, "\(asset.source.url): not a file (download it first)")
    }
    _ = try asset.source.facts()
  }

  /// The state of the reader.
  open var status: Status { lock.withLock { state } }

  /// The reason for the failure if `status` is `failed`; otherwise nil.
  open var error: (any Error)? { lock.withLock { fault } }

  /// The time range that is read; by default the whole asset.
  ///
  /// Set the range before `startReading`; later changes are ignored.
  open var timeRange: CMTimeRange {
    get { lock.withLock { range } }
    set { lock.withLock { if state == .unknown { range = newValue } } }
  }

  /// The outputs, in the order in which they were added.
  open var outputs: [AVAssetReaderOutput] { lock.withLock { list } }

  /// Returns true if an output can be added.
  ///
  /// - Parameter output: An output for a track of the asset.
  /// - Returns: False if reading has started, if the output is for another asset, or if it already
  ///   belongs to a reader.
  open func canAdd(_ output: AVAssetReaderOutput) -> Bool {
    status == .unknown && output.source.source === asset.source && !output.hasReader
  }

  /// Adds an output; it is a programming error to add one for which `canAdd` returns false.
  ///
  /// - Parameter output: The output.
  open func add(_ output: AVAssetReaderOutput) {
    precondition(canAdd(output) && output.join(self), "the output cannot be added to the reader")
    lock.withLock { list.append(output) }
  }

  /// Opens the file for each output, and starts reading.
  ///
  /// - Returns: False if the reader does not have an output, has been started before, or cannot
  ///   read the file; see `error`.
  @discardableResult
  open func startReading() -> Bool {
    let (outputs, range) = lock.withLock { () -> ([AVAssetReaderOutput], CMTimeRange) in
      guard state == .unknown else { return ([], self.range) }
      return (list, self.range)
    }
    guard !outputs.isEmpty else { return false }
    do {
      for output in outputs { try output.open([range]) }
    } catch {
      fail(error)
      return false
    }
    return lock.withLock {
      guard state == .unknown else { return false }
      state = .reading
      return true
    }
  }

  /// Stops reading.
  open func cancelReading() {
    let outputs = lock.withLock { () -> [AVAssetReaderOutput] in
      guard state == .reading || state == .unknown else { return [] }
      state = .cancelled
      return list
    }
    for output in outputs { output.close() }
  }

  func fail(_ error: AVError) {
    lock.withLock {
      guard state == .reading || state == .unknown else { return }
      (state, fault) = (.failed, error)
    }
  }

  /// Notes the end of an output's samples; the last output completes the reader.
  func end(_ output: AVAssetReaderOutput) {
    // An output that can be reset is complete when the program marks it.
    guard !output.supportsRandomAccess else { return }
    lock.withLock {
      ended.insert(ObjectIdentifier(output))
      if state == .reading, ended.count == list.count { state = .completed }
    }
  }

  /// Permits an output to read another range; false unless the reader reads.
  func reopen(_ output: AVAssetReaderOutput) -> Bool {
    lock.withLock {
      ended.remove(ObjectIdentifier(output))
      return state == .reading
    }
  }
}
