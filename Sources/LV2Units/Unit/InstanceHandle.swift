// SPDX-License-Identifier: Apache-2.0
internal import CLilv
internal import MusicalTime
internal import Realtime

/// Owner of one instance of a plug-in, its host features and its worker thread.
@safe
final class InstanceHandle {
  let instance: UnsafeMutablePointer<LilvInstance>
  let features: HostFeatures
  /// Marks calls of the plug-in's functions.
  let call: PluginCall
  /// True if the plug-in has state beyond its control ports.
  let hasState: Bool
  /// True if the state can be saved: the plug-in lacks a state extension, or its extension can
  /// save.
  let canSave: Bool
  private let world: LV2World
  private var thread: RealtimeThread?
  private var isOver = false

  /// Loads the plug-in and creates an instance (`lilv_plugin_instantiate`).
  ///
  /// - Throws: `LV2Error.noSuchPlugin`, `LV2Error.cannotLoad`, `LV2Error.cannotStart`.
  init(
    _ plugin: LV2Plugin, in world: LV2World, _ configuration: LV2Configuration
  ) throws(LV2Error) {
    let call = PluginCall(plugin.uri)
    let library = unsafe try Self.load(plugin, call)
    // A plug-in that requires this stays loaded until the process ends.
    defer {
      if !plugin.requiredFeatures.contains(LV2Names.makeResident) { unsafe clilv_close(library) }
    }
    let features = HostFeatures(configuration)
    let made = try world.withHandle { lilv throws(LV2Error) in
      guard let found = unsafe lilv.plugin(plugin.uri) else {
        throw .noSuchPlugin(plugin.uri, near: [])
      }
      return call.during("instantiate") {
        unsafe Int(
          bitPattern: lilv.table.pointee.plugin_instantiate(
            found, Double(configuration.rate.hertz), features.list))
      }
    }
    guard let instance = unsafe UnsafeMutablePointer<LilvInstance>(bitPattern: made) else {
      throw .cannotStart(uri: plugin.uri, words: features.lastWords)
    }
    let descriptor = unsafe instance.pointee.lv2_descriptor
    guard let descriptor = unsafe descriptor, unsafe descriptor.pointee.run != nil else {
      // The instance is not freed, because freeing it may not be safe.
      throw .cannotStart(uri: plugin.uri, words: "it lacks a run function")
    }
    unsafe self.instance = instance
    self.features = features
    self.world = world
    self.call = call
    let state = unsafe Self.data(of: instance, LV2Names.state + "interface", call)
    hasState = unsafe state != nil
    // The first member of the interface is `save`.
    canSave = unsafe state.map { unsafe $0.load(as: UInt.self) != 0 } ?? true
    let worker = unsafe Self.data(of: instance, LV2Names.worker + "interface", call)
    unsafe features.worker.pointee.connect(
      instance, worker?.assumingMemoryBound(to: LV2_Worker_Interface.self), call,
      at: features.worker)
    if unsafe worker != nil, configuration.working == .onThread { try startWorker(plugin.uri) }
  }

  deinit { end() }

  /// Frees the instance; another call does nothing.
  ///
  /// The plug-in may access its ports again, so their memory must still be valid.
  func end() {
    guard !isOver else { return }
    isOver = true
    if let thread {
      unsafe features.worker.pointee.end()
      thread.join()
    }
    call.during("deactivate") {
      unsafe instance.pointee.lv2_descriptor.pointee.deactivate?(instance.pointee.lv2_handle)
    }
    world.withHandle { lilv in
      call.during("cleanup") { unsafe lilv.table.pointee.instance_free(instance) }
    }
  }

  private func startWorker(_ uri: String) throws(LV2Error) {
    nonisolated(unsafe) let worker = unsafe features.worker
    do {
      thread = try RealtimeThread(name: "lv2 worker", priority: nil) {
        unsafe worker.pointee.workOn()
      }
    } catch { throw .cannotStart(uri: uri, words: "\(error)") }
  }

  /// Loads the library first, for the loader's error message if this fails.
  private static func load(
    _ plugin: LV2Plugin, _ call: PluginCall
  ) throws(LV2Error) -> UnsafeMutableRawPointer {
    var reason = [CChar](repeating: 0, count: 512)
    let library = unsafe call.during("its library's initialization") {
      unsafe clilv_open(plugin.library, &reason, reason.count)
    }
    if let library = unsafe library {
      clilv_guard_exits()
      return unsafe library
    }
    let letters = reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    throw .cannotLoad(uri: plugin.uri, reason: String(decoding: letters, as: UTF8.self))
  }

  private static func data(
    of instance: UnsafeMutablePointer<LilvInstance>, _ uri: String, _ call: PluginCall
  ) -> UnsafeRawPointer? {
    unsafe call.during("extension_data") {
      unsafe instance.pointee.lv2_descriptor.pointee.extension_data?(uri)
    }
  }

  func connect(_ port: Int, _ place: UnsafeMutableRawPointer?) {
    call.during("connect_port") {
      unsafe instance.pointee.lv2_descriptor.pointee.connect_port(
        instance.pointee.lv2_handle, UInt32(port), place)
    }
  }

  func activate() {
    call.during("activate") {
      unsafe instance.pointee.lv2_descriptor.pointee.activate?(instance.pointee.lv2_handle)
    }
  }
}
