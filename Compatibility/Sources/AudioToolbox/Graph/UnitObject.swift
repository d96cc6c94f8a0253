// SPDX-License-Identifier: Apache-2.0
internal import CCoreAudio
internal import CoreAudioHandles
internal import CoreAudioTypes
internal import Foundation
internal import MusicalTime
internal import Synchronization

/// A unit: what it is, what it hears, how it is set, and, while it is ready, what makes its sound.
final class UnitObject: Sendable {
  let description: AudioComponentDescription
  let kind: UnitKind
  let state = Mutex(State())
  private let handle = Mutex<Handle?>(nil)
  /// What others ask for while it renders, which therefore does not.
  private let links = Mutex(Links())

  private struct Links: Sendable {
    /// There while it plays on a device.
    var run: DeviceRun?
    /// There while it is an instrument that is ready.
    var player: InstrumentPlayer?
  }

  struct State: Sendable {
    var rate = 44_100.0
    var maximumFrames = 1156
    var inputCount = 1
    var inputs: [UInt32: UnitInput] = [:]
    /// The inputs that hear what a graph says.
    var graphInputs: Set<UInt32> = []
    var parameters: [ParameterPlace: Float] = [:]
    var notifies: [RenderNotify] = []
    /// Those of the graph whose output it is.
    var graphNotifies: [RenderNotify] = []
    /// Who sends the events of each slice for which a program asks.
    var listeners: [any SliceListener] = []
    var soundFont: String?
    /// What a sampler plays, where it was told.
    var preset: SamplerPreset?
    var isReverberant = true
    var bypasses = false
    var lastError = noErr
    /// There while it is ready.
    var workshop: UnitWorkshop?

    var isInitialized: Bool { workshop != nil }

    /// Whether an instrument was made ready for others than these sounds.
    func lacks(_ sounds: PlayedSounds?) -> Bool {
      guard let sounds, let read = workshop?.player?.sounds else { return false }
      return !sounds.areAmong(read)
    }
  }

  init(_ place: Int) {
    description = UnitKind.description(at: place)
    kind = UnitKind.all[place].kind
    if kind == .mixer { state.withLock { $0.inputCount = 8 } }
    if kind == .instrument { state.withLock { $0.inputCount = 0 } }
  }

  /// The reference, once it has one.
  var pointer: AudioUnit? { unsafe handle.withLock { unsafe $0?.pointer } }

  @discardableResult
  func enroll() -> Bool {
    let given = HandleTable.shared.add(self)
    handle.withLock { $0 = given }
    return given != nil
  }

  /// Ends it, and its sound.
  func dismiss() {
    uninitialize()
    state.withLock { $0.inputs = [:] }
    if let given = handle.withLock({ $0 }) { HandleTable.shared.remove(given) }
  }

  @unsafe
  static func find(_ reference: AudioUnit?) -> UnitObject? {
    unsafe HandleTable.shared.object(at: reference)
  }

  var isRunning: Bool { run != nil }

  var run: DeviceRun? { links.withLock(\.run) }

  var player: InstrumentPlayer? { links.withLock(\.player) }

  /// Sets what it renders with.
  func setWorkshop(_ workshop: UnitWorkshop?) {
    state.withLock { $0.workshop = workshop }
    links.withLock { $0.player = workshop?.player }
  }

  /// Makes it ready; where it is for a player, with that one's sounds.
  func initialize(for sounds: PlayedSounds? = nil) -> OSStatus {
    let settings = state.withLock { $0 }
    guard !settings.isInitialized || settings.lacks(sounds) else { return noErr }
    do {
      setWorkshop(try UnitWorkshop(kind, settings, for: sounds))
      return noErr
    } catch {
      return kAudioUnitErr_FailedInitialization
    }
  }

  /// Makes it unready.
  func uninitialize() {
    stop()
    setWorkshop(nil)
  }

  /// Plays on the device.
  func start() -> OSStatus {
    guard case .output(let isOnDevice) = kind else { return kAudioUnitErr_InvalidProperty }
    let (isReady, rate) = state.withLock { ($0.isInitialized, $0.rate) }
    guard isReady else { return kAudioUnitErr_Uninitialized }
    guard isOnDevice, !isRunning else { return noErr }
    do {
      let run = try DeviceRun(self, rate: rate)
      links.withLock { $0.run = run }
      return noErr
    } catch {
      return kAudioUnitErr_FailedInitialization
    }
  }

  /// Ends that.
  func stop() {
    let run = links.withLock { links in
      defer { links.run = nil }
      return links.run
    }
    run?.stop()
  }

  /// Whether the sound of a unit comes by way of this one.
  func hears(_ other: UnitObject) -> Bool {
    if self === other { return true }
    let inputs = state.withLock { Array($0.inputs.values) }
    return inputs.contains { input in
      if case .unit(let unit, _) = input { unit.hears(other) } else { false }
    }
  }
}
