// SPDX-License-Identifier: Apache-2.0
internal import CCoreAudio
internal import CoreAudioHandles
internal import CoreAudioTypes
internal import Foundation
internal import MusicalTime
internal import Synchronization

/// A unit: its description, inputs and settings, and, while it is initialized, the memory with
/// which it renders.
final class UnitObject: Sendable {
  let description: AudioComponentDescription
  let kind: UnitKind
  let state = Mutex(State())
  private let handle = Mutex<Handle?>(nil)
  /// State that is read during rendering; rendering itself does not take this lock.
  private let links = Mutex(Links())

  private struct Links: Sendable {
    /// The output on a device, while the unit plays there.
    var run: DeviceRun?
    /// The player of an instrument, while the unit is initialized.
    var player: InstrumentPlayer?
  }

  struct State: Sendable {
    var rate = 44_100.0
    var maximumFrames = 1156
    var inputCount = 1
    var inputs: [UInt32: UnitInput] = [:]
    /// The inputs that are set by a graph.
    var graphInputs: Set<UInt32> = []
    var parameters: [ParameterPlace: Float] = [:]
    var notifies: [RenderNotify] = []
    /// The notifications of the graph whose output the unit is.
    var graphNotifies: [RenderNotify] = []
    /// The objects that send the events of each slice that a program renders.
    var listeners: [any SliceListener] = []
    var soundFont: String?
    /// The preset of a sampler, if the program has chosen one.
    var preset: SamplerPreset?
    var isReverberant = true
    var bypasses = false
    var lastError = noErr
    /// The memory for rendering, while the unit is initialized.
    var workshop: UnitWorkshop?

    var isInitialized: Bool { workshop != nil }

    /// True if an instrument was initialized without some of these sounds.
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

  /// The reference; nil before `enroll`.
  var pointer: AudioUnit? { unsafe handle.withLock { unsafe $0?.pointer } }

  @discardableResult
  func enroll() -> Bool {
    let given = HandleTable.shared.add(self)
    handle.withLock { $0 = given }
    return given != nil
  }

  /// Stops, uninitializes and frees the unit.
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

  /// Sets the memory for rendering.
  func setWorkshop(_ workshop: UnitWorkshop?) {
    state.withLock { $0.workshop = workshop }
    links.withLock { $0.player = workshop?.player }
  }

  /// Initializes the unit; with `sounds`, an instrument reads only these.
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

  /// Stops and uninitializes the unit.
  func uninitialize() {
    stop()
    setWorkshop(nil)
  }

  /// Starts an output on its device.
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

  /// Stops an output.
  func stop() {
    let run = links.withLock { links in
      defer { links.run = nil }
      return links.run
    }
    run?.stop()
  }

  /// True if the sound of `other` reaches this unit, directly or through other units.
  func hears(_ other: UnitObject) -> Bool {
    if self === other { return true }
    let inputs = state.withLock { Array($0.inputs.values) }
    return inputs.contains { input in
      if case .unit(let unit, _) = input { unit.hears(other) } else { false }
    }
  }
}
