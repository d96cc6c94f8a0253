// SPDX-License-Identifier: Apache-2.0
public import AudioProcessing
internal import CLilv
internal import Glibc
internal import Synchronization

extension LV2Unit: StatefulUnit {
  /// The first line of a state saved here, before the plug-in's URI.
  private static let head = "# LV2 state 1 of "

  /// Returns the state of the plug-in, including the values of its controls, as UTF-8 text in the
  /// format Turtle.
  ///
  /// - Throws: `LV2Error.badState` if the plug-in cannot save its state.
  public func state() throws -> [UInt8] { Array(try stateText().utf8) }

  func stateText() throws(LV2Error) -> String {
    let values = StateValues(plugin, (0..<plugin.controls.count).map { parameters[$0] })
    let instance = memory.instances[0]
    let context = unsafe Unmanaged.passUnretained(values).toOpaque()
    guard instance.canSave else {
      throw .badState(uri: plugin.uri, reason: "it does not support states")
    }
    let text: String? = world.withHandle { lilv in
      guard let found = unsafe lilv.plugin(plugin.uri),
        let state = unsafe instance.features.worker.pointee.whileIdle({
          unsafe instance.call.during("save") {
            unsafe lilv.table.pointee.state_new_from_instance(
              found, instance.instance, HostFeatures.map, nil, nil, nil, nil, StateValues.give,
              context, 0, instance.features.list)
          }
        })
      else { return nil }
      defer { unsafe lilv.table.pointee.state_free(state) }
      guard
        let text = unsafe lilv.table.pointee.state_to_string(
          lilv.world, HostFeatures.map, HostFeatures.unmap, state, "urn:lv2:state", nil)
      else { return nil }
      defer { unsafe lilv.table.pointee.free(text) }
      return unsafe String(cString: text)
    }
    guard let text else { throw .badState(uri: plugin.uri, reason: "it does not support states") }
    return Self.head + plugin.uri + "\n" + text
  }

  /// Restores a state returned by `state()`, including the values of the controls.
  ///
  /// If the plug-in does not support restoring while it renders, the unit is silent until the
  /// restore is complete.
  ///
  /// - Throws: `LV2Error.badState` if the bytes are not a state of this plug-in.
  public func restore(_ state: [UInt8]) throws {
    guard let text = String(validating: state, as: UTF8.self) else {
      throw LV2Error.badState(uri: plugin.uri, reason: "it is not text")
    }
    try restore(text: text)
  }

  func restore(text: String) throws(LV2Error) {
    guard text.hasPrefix(Self.head) else {
      throw .badState(uri: plugin.uri, reason: "it was not saved by this version of Downbeat")
    }
    guard text.hasPrefix(Self.head + plugin.uri + "\n"), !text.contains("\0") else {
      throw .badState(uri: plugin.uri, reason: "it belongs to another plug-in")
    }
    unsafe try apply { lilv in
      unsafe lilv.table.pointee.state_new_from_string(lilv.world, HostFeatures.map, text)
    }
  }

  /// Loads a preset.
  ///
  /// - Throws: `LV2Error.badState` if the preset cannot be read.
  public func load(_ preset: LV2Preset) throws(LV2Error) { try apply(uri: preset.uri) }

  /// Restores the plug-in's default state if its description asks for it.
  func restoreDefaultState() throws(LV2Error) {
    guard plugin.wantsDefaultState else { return }
    do { try apply(uri: plugin.uri) } catch {
      // Most plug-ins lack a default state and keep their initial values.
    }
  }

  private func apply(uri: String) throws(LV2Error) {
    unsafe try apply { lilv in
      unsafe lilv.withURI(uri) { node in
        _ = unsafe lilv.table.pointee.world_load_resource(lilv.world, node)
        return unsafe lilv.table.pointee.state_new_from_world(lilv.world, HostFeatures.map, node)
      } ?? nil
    }
  }

  /// Gives a state to every instance, and sets the parameters.
  private func apply(_ make: (borrowing LilvHandle) -> OpaquePointer?) throws(LV2Error) {
    let values = StateValues(plugin, [])
    let context = unsafe Unmanaged.passUnretained(values).toOpaque()
    let isRead = whileStopped {
      world.withHandle { lilv in
        guard let state = unsafe make(lilv) else { return false }
        defer { unsafe lilv.table.pointee.state_free(state) }
        guard unsafe lilv.text(lilv.table.pointee.state_get_plugin_uri(state)) == plugin.uri else {
          return false
        }
        for instance in memory.instances {
          unsafe instance.features.worker.pointee.whileIdle {
            instance.call.during("restore") {
              unsafe lilv.table.pointee.state_restore(
                state, instance.instance, StateValues.take, context, 0, instance.features.list)
            }
          }
        }
        return true
      }
    }
    guard isRead else { throw .badState(uri: plugin.uri, reason: "it cannot be read") }
    for (index, value) in values.taken.sorted(by: { $0.key < $1.key }) {
      do { try parameters.set(index, to: parameters.parameters[index].held(value), over: 0) } catch
      {
        throw .badState(uri: plugin.uri, reason: "\(error)")
      }
    }
  }

  /// Calls a closure while the plug-in does not render, or at once if it can be restored during
  /// rendering.
  private func whileStopped<Result>(_ body: () -> Result) -> Result {
    guard !plugin.restoresWhileRunning else { return body() }
    // A quantum ends within a millisecond or two.
    while !kernel.pointee.report.gate.compareExchange(
      expected: 0, desired: 2, ordering: .acquiring
    ).exchanged { usleep(100) }
    defer { kernel.pointee.report.gate.store(0, ordering: .releasing) }
    return body()
  }
}

extension LV2Unit: SavableUnit {
  /// The settings from which a saved graph restores the unit; nil if the state of the plug-in
  /// cannot be saved.
  public var setup: UnitSetup? {
    var values: [String: UnitSetup.Value] = [
      "plugin": .word(plugin.uri), "buses": .word(configuration.buses.rawValue),
      "framesPerRun": .count(configuration.framesPerRun),
    ]
    if memory.instances[0].hasState {
      do { values["state"] = .word(try stateText()) } catch { return nil }
    }
    return UnitSetup("lv2", values)
  }
}
