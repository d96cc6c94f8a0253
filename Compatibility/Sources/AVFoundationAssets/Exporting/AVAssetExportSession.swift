// SPDX-License-Identifier: Apache-2.0
public import CoreMedia
internal import Dispatch
public import Foundation

/// Exports AAC in an M4A file, at the default bit rate of the encoder.
public let AVAssetExportPresetAppleM4A = "AVAssetExportPresetAppleM4A"
/// Exports AAC at 64 kbit/s in an M4A file.
public let AVAssetExportPresetLowQuality = "AVAssetExportPresetLowQuality"
/// Exports AAC at 128 kbit/s in an M4A file.
public let AVAssetExportPresetMediumQuality = "AVAssetExportPresetMediumQuality"
/// Exports AAC at 256 kbit/s in an M4A file.
public let AVAssetExportPresetHighestQuality = "AVAssetExportPresetHighestQuality"
/// Copies the packets or samples of the source without conversion.
public let AVAssetExportPresetPassthrough = "AVAssetExportPresetPassthrough"

/// Exports the audio of a file to a new file.
///
/// The new file appears when it is complete. After a failure or a cancellation, no file remains.
///
/// - Note: Any thread.
open class AVAssetExportSession: NSObject, @unchecked Sendable {
  // Unchecked: what changes is used under the lock.

  /// The state of an export.
  public enum Status: Int, Sendable {
    /// The export has not started.
    case unknown = 0
    /// The export has started, but has not written anything yet.
    case waiting = 1
    /// The file is being written.
    case exporting = 2
    /// The file is complete.
    case completed = 3
    /// The export has failed, for the reason in `error`.
    case failed = 4
    /// The export was cancelled with `cancelExport`.
    case cancelled = 5
  }

  /// The asset that is exported.
  public let asset: AVAsset
  /// The name of the preset.
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

  /// Creates an export session.
  ///
  /// The result is nil if the preset is unknown or cannot export the asset.
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
  /// - Returns: The names of the presets.
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
  /// - Returns: The names of the presets; an empty array if the asset cannot be read.
  open class func exportPresets(compatibleWith asset: AVAsset) -> [String] {
    allExportPresets().filter { name in
      AVAssetExportSession(asset: asset, presetName: name)?.supportedFileTypes.isEmpty == false
    }
  }

  /// Returns true if a preset can export an asset to a file type.
  ///
  /// - Parameters:
  ///   - presetName: The name of the preset.
  ///   - asset: The asset.
  ///   - outputFileType: The file type; nil for any type.
  /// - Returns: True if the export is supported.
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

  /// The file types to which the session can export the asset; an empty array if the asset cannot
  /// be read.
  open var supportedFileTypes: [AVFileType] { asset.facts.map { preset.types($0) } ?? [] }

  /// The file types to which the session can export the asset; an empty array if the asset cannot
  /// be read.
  open var compatibleFileTypes: [AVFileType] {
    get async {
      await withCheckedContinuation { continuation in
        determineCompatibleFileTypes { continuation.resume(returning: $0) }
      }
    }
  }

  /// Determines the file types to which the session can export the asset.
  ///
  /// - Parameter handler: Called on a global queue with the file types.
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

  /// The location of the new file.
  open var outputURL: URL? {
    get { lock.withLock { url } }
    set { lock.withLock { url = newValue } }
  }

  /// The part of the asset that is exported; by default the whole asset.
  open var timeRange: CMTimeRange {
    get { lock.withLock { range } }
    set { lock.withLock { range = newValue } }
  }

  /// True to arrange the file for streaming.
  ///
  /// The value is ignored.
  open var shouldOptimizeForNetworkUse: Bool {
    get { lock.withLock { optimizes } }
    set { lock.withLock { optimizes = newValue } }
  }

  /// The state of the export.
  open var status: Status { lock.withLock { state } }

  /// The reason for the failure if `status` is `failed`; otherwise nil.
  open var error: (any Error)? { lock.withLock { fault } }

  /// The completed part of the export, 0…1.
  ///
  /// It never decreases, and is 1 only when the file is complete.
  open var progress: Float { lock.withLock { share } }

  /// Cancels the export, so that no new file appears.
  ///
  /// If the export is already complete, the file is kept.
  open func cancelExport() {
    lock.withLock {
      if [.unknown, .waiting, .exporting].contains(state) { state = .cancelled }
    }
  }

  /// Starts the export.
  ///
  /// - Parameter handler: Called on a global queue when `status` is `completed`, `failed` or
  ///   `cancelled`.
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

  /// Exports the asset; on return `status` is `completed`, `failed` or `cancelled`.
  open func export() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        exportAsynchronously { continuation.resume() }
      }
    } onCancel: {
      cancelExport()
    }
  }

  /// Exports the asset to a file.
  ///
  /// - Parameters:
  ///   - url: The location of the new file.
  ///   - fileType: The type of the new file.
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
