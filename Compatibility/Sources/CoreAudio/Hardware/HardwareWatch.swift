// SPDX-License-Identifier: Apache-2.0
internal import ALSAAudio
internal import CoreAudioTypes
internal import Dispatch
internal import Synchronization

/// Compares the sound devices with those of half a second before, while a program has listeners.
struct HardwareWatch: Sendable {
  /// A moment's devices.
  struct Sight: Equatable, Sendable {
    /// The names of the devices.
    var devices: Set<String>
    /// The names of the devices on which this program runs streams.
    var running: Set<String>
    /// The default devices, output first; nil for none.
    var standard: [String?]

    /// The present devices.
    static var now: Sight {
      Sight(
        devices: Set(AudioDevice.all().map(\.name)),
        running: Set(RunningStream.all.map(\.device)),
        standard: [AudioDevice.Direction.playback, .capture].map {
          HardwareObject.standard($0)?.name
        })
    }

    /// The objects and properties that differ from those of an earlier moment.
    func changes(since old: Sight) -> [(AudioObjectID, AudioObjectPropertySelector)] {
      let system = AudioObjectID(kAudioObjectSystemObject)
      var changes: [(AudioObjectID, AudioObjectPropertySelector)] = []
      if devices != old.devices { changes.append((system, kAudioHardwarePropertyDevices)) }
      if standard.first != old.standard.first {
        changes.append((system, kAudioHardwarePropertyDefaultOutputDevice))
        changes.append((system, kAudioHardwarePropertyDefaultSystemOutputDevice))
      }
      if standard.last != old.standard.last {
        changes.append((system, kAudioHardwarePropertyDefaultInputDevice))
      }
      for name in old.devices.subtracting(devices).sorted() {
        changes.append(
          (HardwareTable.identifier(of: name), kAudioDevicePropertyDeviceIsAlive))
      }
      for name in running.symmetricDifference(old.running).sorted() {
        let device = HardwareTable.identifier(of: name)
        changes.append((device, kAudioDevicePropertyDeviceIsRunning))
        changes.append((device, kAudioDevicePropertyDeviceIsRunningSomewhere))
      }
      return changes
    }
  }

  /// The devices at the last look; nil while nothing is compared.
  private static let last = Mutex<Sight?>(nil)
  private static let queue = DispatchQueue(label: "CoreAudio.watch")
  private static let milliseconds = 500

  /// Begins to compare, unless it does already; it ends after the last listener.
  static func start() {
    let now = Sight.now
    let wasActive = last.withLock { last in
      defer { last = last ?? now }
      return last != nil
    }
    if !wasActive { lookLater() }
  }

  /// Takes default devices that the program has set, which were reported already.
  static func acceptDefaults() {
    let standard = Sight.now.standard
    last.withLock { $0?.standard = standard }
  }

  private static func lookLater() {
    queue.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) {
      let now = Sight.now
      // Under the lock: a listener that is added meanwhile finds either the watch or its end.
      let (changes, isOver) = last.withLock { last in
        let isOver = HardwareListener.isNoneLeft
        defer { last = isOver ? nil : now }
        return (last.map { now.changes(since: $0) } ?? [], isOver)
      }
      for (object, selector) in changes { HardwareListener.notify(object, selector) }
      if !isOver { lookLater() }
    }
  }
}
