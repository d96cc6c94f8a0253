// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages

/// The settings that SysEx messages have made in the device at a port since its last reset.
struct DeviceMemory: Sendable {
  /// The mode that the last reset set; nil for the device's native mode.
  private(set) var mode: SysExReset?
  private var reset: [UInt8] = []
  private var entries: [DeviceSetting: Entry] = [:]
  /// The messages whose writes are in force, by their order.
  private var sources: [Int: Source] = [:]
  private var nextOrder = 0

  private struct Entry: Sendable {
    let write: SettingWrite
    let order: Int
  }

  private struct Source: Sendable {
    let bytes: [UInt8]
    var settings: [DeviceSetting]
  }

  /// Takes in a message without its F0 and F7; returns the settings that it has changed.
  mutating func apply(_ bytes: [UInt8]) -> [DeviceSetting] {
    if let mode = SysExReset(bytes) {
      self = DeviceMemory()
      self.mode = mode == .off ? nil : mode
      reset = bytes
      return []
    }
    let writes = SettingWrite.all(in: bytes)
    guard !writes.isEmpty else { return [] }
    for write in writes {
      forget(write.setting)
      entries[write.setting] = Entry(write: write, order: nextOrder)
    }
    let settings = writes.map(\.setting)
    sources[nextOrder] = Source(
      bytes: bytes, settings: Set(settings).count == settings.count ? settings : [])
    nextOrder += 1
    return settings
  }

  /// Forgets a setting: something else has changed what it stands for.
  mutating func forget(_ setting: DeviceSetting) {
    guard let entry = entries.removeValue(forKey: setting) else { return }
    // The message as a whole is not in force any more.
    sources[entry.order] = nil
  }

  func isSet(_ setting: DeviceSetting) -> Bool { entries[setting] != nil }

  /// Whether no setting is in force.
  var isEmpty: Bool { entries.isEmpty }

  /// The messages that bring the memory about in a device in its native mode.
  var messages: [[UInt8]] {
    (mode == nil ? [] : [reset]) + messages(of: Set(entries.keys))
  }

  /// The messages that write some of the settings, in their order.
  private func messages(of settings: Set<DeviceSetting>) -> [[UInt8]] {
    var chosen: [Int: [SettingWrite]] = [:]
    for setting in settings {
      guard let entry = entries[setting] else { continue }
      chosen[entry.order, default: []].append(entry.write)
    }
    return chosen.sorted { $0.key < $1.key }.flatMap { order, writes -> [[UInt8]] in
      // A message goes as it was if all that it wrote is wanted.
      if let source = sources[order], source.settings.count == writes.count {
        return [source.bytes]
      }
      return writes.map(\.message).sorted { $0.lexicographicallyPrecedes($1) }
    }
  }
}

extension DeviceMemory {
  /// The messages that turn one memory into another.
  struct Change: Sendable {
    /// The messages without F0 and F7.
    var messages: [[UInt8]] = []
    /// The settings that they write.
    var settings: Set<DeviceSetting> = []
    /// Whether the first is a reset: nothing of what was in force is left.
    var resets = false
    /// The messages for whose settings no inverse is known: they stay in force.
    var lost: [[UInt8]] = []
  }

  /// The fewest messages that bring the memory about where another one is in force.
  ///
  /// - Parameters:
  ///   - other: the memory in force.
  ///   - device: the device whose initial values count.
  ///   - isSure: whether the other memory's values are in force; if not, all that it set may be.
  ///   - isCovered: whether a channel message of this state sets the same thing as a setting.
  /// - Returns: the messages.
  func change(
    after other: DeviceMemory, on device: StateDevice, isSure: Bool = true,
    unless isCovered: (DeviceSetting) -> Bool
  ) -> Change {
    var change = Change()
    guard mode == other.mode else {
      change.resets = true
      change.messages = mode == nil ? [StateDevice.systemOff] + messages : messages
      change.settings = Set(entries.keys)
      return change
    }
    var wanted: Set<DeviceSetting> = []
    for (setting, entry) in entries
    where !isSure || other.entries[setting]?.write != entry.write {
      wanted.insert(setting)
    }
    restoreGroups(after: other, on: device, &wanted, &change)
    let gone = other.entries.values.filter { entries[$0.write.setting] == nil }
    for entry in gone.sorted(by: { ($0.order, $0.write) < ($1.order, $1.write) })
    where entry.write.setting.group == nil && !isCovered(entry.write.setting) {
      guard let initial = entry.write.initialValue(on: device, after: mode) else {
        change.lost.append(entry.write.message)
        continue
      }
      change.messages.append(entry.write.message(initial))
      change.settings.insert(entry.write.setting)
    }
    change.messages += messages(of: wanted)
    change.settings.formUnion(wanted)
    return change
  }

  /// Gives groups in which anything differs their initial values; what this memory has of them is
  /// then wanted.
  private func restoreGroups(
    after other: DeviceMemory, on device: StateDevice, _ wanted: inout Set<DeviceSetting>,
    _ change: inout Change
  ) {
    let (mine, theirs) = (groups, other.groups)
    for (group, writes) in theirs.sorted(by: { $0.value[0] < $1.value[0] })
    where mine[group] != writes {
      wanted.formUnion((mine[group] ?? []).map(\.setting))
      // Settings that are all written again need no initial values.
      let left = writes.filter { !isSet($0.setting) }
      guard !left.isEmpty else { continue }
      change.settings.formUnion(writes.map(\.setting))
      if let message = device.initialMessage(of: group) {
        change.messages.append(message)
        continue
      }
      var given: Set<[UInt8]> = []
      for write in left {
        if let initial = SettingWrite.initial(of: group, like: write) {
          if given.insert(initial.message).inserted { change.messages.append(initial.message) }
          guard write.header[0] == 0x43, let value = write.initialValue else { continue }
          // The return of an effect keeps its level when the type changes.
          let level = write.message(value)
          if given.insert(level).inserted { change.messages.append(level) }
        } else {
          change.lost.append(write.message)
        }
      }
    }
  }

  /// The writes of each group, in order.
  private var groups: [SettingGroup: [SettingWrite]] {
    var groups: [SettingGroup: [Entry]] = [:]
    for entry in entries.values {
      if let group = entry.write.setting.group { groups[group, default: []].append(entry) }
    }
    return groups.mapValues { list in
      list.sorted { ($0.order, $0.write) < ($1.order, $1.write) }.map(\.write)
    }
  }
}
