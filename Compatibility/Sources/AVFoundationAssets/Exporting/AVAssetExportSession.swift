// SPDX-License-Identifier: Apache-2.0
public import CoreMedia
internal import Dispatch
public import Foundation

/// AAC in an M4A file.
public let AVAssetExportPresetAppleM4A = "AVAssetExportPresetAppleM4A"
/// AAC at 64 kbit/s in an M4A file.
public let AVAssetExportPresetLowQuality = "AVAssetExportPresetLowQuality"
/// AAC at 128 kbit/s in an M4A file.
public let AVAssetExportPresetMediumQuality = "AVAssetExportPresetMediumQuality"
/// AAC at 256 kbit/s in an M4A file.
public let AVAssetExportPresetHighestQuality = "AVAssetExportPresetHighestQuality"
/// The packets or samples of the file as they are.
public let AVAssetExportPresetPassthrough = "AVAssetExportPresetPassthrough"

/// Writes the sound of a file into a new file.
///
/// The new file appears complete or not at all; an export that is cancelled or fails leaves nothing
/// behind.
///
/// - Note: Any thread.
open class AVAssetExportSession: NSObject, @unchecked Sendable {
  // Unchecked: what changes is used under the lock.

  /// The state of an export.
  public enum Status: Int, Sendable {
    /// It has not started.
    case unknown = 0
    /// It is about to write.
    case waiting = 1
    /// It writes.
    case exporting = 2
    /// The file is complete.
    case completed = 3
    /// The file cannot be written; `error` has the reason.
    case failed = 4
    /// `cancelExport` was called.
    case cancelled = 5
  }

  /// The asset.
  public let asset: AVAsset
  /// The kind of export.
  public let presetName: String
  private let preset: ExportPreset
  private let lock = NSLock()
  private var state = Status.unknown
  private var fault: AVError?
  private var share: Float = 0
  private var type: AVFileType?
  private var url: URL?
  private var range = CMTimeRange(start: .zero, duration: .positiveInfinity)
  private var optimizes = false

  /// Creates an export.
  ///
  /// The result is nil for another preset, and for an asset that the preset cannot export.
  ///
  /// - Parameters:
  ///   - asset: An asset of a file.
  ///   - presetName: One of `allExportPresets()`.
  public init?(asset: AVAsset, presetName: String) {
    guard let preset = ExportPreset(name: presetName) else { return nil }
    (self.asset, self.presetName, self.preset) = (asset, presetName, preset)
    super.init()
    if asset.source.path == nil || asset.source.isLoaded && supportedFileTypes.isEmpty {
      return nil
    }
  }

  /// Returns the names of all presets.
  ///
  /// - Returns: The names.
  open class func allExportPresets() -> [String] {
    [
      AVAssetExportPresetLowQuality, AVAssetExportPresetMediumQuality,
      AVAssetExportPresetHighestQuality, AVAssetExportPresetAppleM4A,
      AVAssetExportPresetPassthrough,
    ]
  }

  /// Returns the presets that can export an asset.
  ///
  /// - Parameter asset: The asset.
  /// - Returns: Their names; none if the asset cannot be read.
  open class func exportPresets(compatibleWith asset: AVAsset) -> [String] {
    allExportPresets().filter { name in
      AVAssetExportSession(asset: asset, presetName: name)?.supportedFileTypes.isEmpty == false
    }
  }

  /// Returns true if a preset can export an asset as a type of file.
  ///
  /// - Parameters:
  ///   - presetName: The preset.
  ///   - asset: The asset.
  ///   - outputFileType: The type; nil for any.
  /// - Returns: True if it can.
  open class func compatibility(
    ofExportPreset presetName: String, with asset: AVAsset, outputFileType: AVFileType?
  ) async -> Bool {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        let types =
          AVAssetExportSession(asset: asset, presetName: presetName)?.supportedFileTypes ?? []
        continuation.resume(
          returning: outputFileType.map { types.contains($0) } ?? !types.isEmpty)
      }
    }
  }

  /// The types of file that the asset can be exported as; none if it cannot be read.
  open var supportedFileTypes: [AVFileType] { asset.facts.map { preset.types($0) } ?? [] }

  /// The types of file that the asset can be exported as; none if it cannot be read.
  open var compatibleFileTypes: [AVFileType] {
    get async {
      await withCheckedContinuation { continuation in
        determineCompatibleFileTypes { continuation.resume(returning: $0) }
      }
    }
  }

  /// Finds the types of file that the asset can be exported as.
  ///
  /// - Parameter handler: Is called on a queue, with the types.
  open func determineCompatibleFileTypes(
    completionHandler handler: @escaping @Sendable ([AVFileType]) -> Void
  ) {
    DispatchQueue.global().async { [self] in handler(supportedFileTypes) }
  }

  /// The type of the new file.
  open var outputFileType: AVFileType? {
    get { lock.withLock { type } }
    set { lock.withLock { type = newValue } }
  }

  /// The new file.
  open var outputURL: URL? {
    get { lock.withLock { url } }
    set { lock.withLock { url = newValue } }
  }

  /// The part of the asset that is exported: all by default.
  open var timeRange: CMTimeRange {
    get { lock.withLock { range } }
    set { lock.withLock { range = newValue } }
  }

  /// Stored; files are always written in one order.
  open var shouldOptimizeForNetworkUse: Bool {
    get { lock.withLock { optimizes } }
    set { lock.withLock { optimizes = newValue } }
  }

  /// The state.
  open var status: Status { lock.withLock { state } }

  /// The reason of the state `failed`; otherwise nil.
  open var error: (any Error)? { lock.withLock { fault } }

  /// The share that is done, 0…1; it never decreases, and is 1 when the file is complete.
  open var progress: Float { lock.withLock { share } }

  /// Ends the export; the new file does not appear.
  ///
  /// An export that is complete stays so.
  open func cancelExport() {
    lock.withLock {
      if [.unknown, .waiting, .exporting].contains(state) { state = .cancelled }
    }
  }

  /// Starts the export.
  ///
  /// - Parameter handler: Is called on a queue when `status` is `completed`, `failed` or `cancelled`.
  open func exportAsynchronously(completionHandler handler: @escaping @Sendable () -> Void) {
    let isFirst = lock.withLock {
      guard state == .unknown else { return false }
      state = .waiting
      return true
    }
    DispatchQueue.global().async { [self] in
      if isFirst { run() }
      handler()
    }
  }

  /// Exports; `status` is afterwards `completed`, `failed` or `cancelled`.
  open func export() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        exportAsynchronously { continuation.resume() }
      }
    } onCancel: {
      cancelExport()
    }
  }

  /// Exports into a file.
  ///
  /// - Parameters:
  ///   - url: The new file.
  ///   - fileType: Its type.
  /// - Throws: An `AVError`; `CancellationError` if the task is cancelled.
  open func export(to url: URL, as fileType: AVFileType) async throws {
    (outputURL, outputFileType) = (url, fileType)
    await export()
    switch status {
    case .completed: return
    case .cancelled where Task.isCancelled: throw CancellationError()
    case .cancelled: throw AVError(.operationCancelled)
    default: throw lock.withLock { fault } ?? AVError(.operationNotAllowed)
    }
  }

  private func run() {
    do {
      let plan = try plan()
      let mayStart = lock.withLock {
        if state == .waiting { state = .exporting }
        return state == .exporting
      }
      guard mayStart else { return }
      if try plan.run({ note($0) }), !complete() { plan.removeTarget() }
    } catch {
      lock.withLock { if state != .cancelled { (state, fault) = (.failed, error) } }
    }
  }

  private func plan() throws(AVError) -> ExportPlan {
    let (url, type, range) = lock.withLock { (self.url, self.type, self.range) }
    guard let url, let target = AssetSource(url).path else {
      throw AVError(.operationNotAllowed, "outputURL: not a file")
    }
    let facts = try asset.source.facts()
    guard let source = asset.source.path, let type, let kind = type.kind,
      preset.types(facts).contains(type)
    else {
      throw AVError(
        .operationNotSupportedForAsset,
        "outputFileType \(type?.rawValue ?? "nil"): not one of supportedFileTypes")
    }
    return ExportPlan(source: source, target: target, kind: kind, preset: preset, range: range)
  }

  /// Notes the share that is done; false if the export was cancelled.
  private func note(_ fraction: Double) -> Bool {
    lock.withLock {
      // The file is complete only when it has its name.
      share = max(share, min(Float(fraction), 1 - .ulpOfOne))
      return state == .exporting
    }
  }

  /// Ends an export whose file has its name; false if it was cancelled meanwhile.
  private func complete() -> Bool {
    lock.withLock {
      guard state == .exporting else { return false }
      (state, share) = (.completed, 1)
      return true
    }
  }
}
