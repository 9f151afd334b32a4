// A laptop-like panel for QEMU's graphics card: eleven brightness levels, kept in one variable.
DefinitionBlock ("", "SSDT", 2, "SCONCE", "BACKLGHT", 1)
{
    External (\_SB.PCI0.S10, DeviceObj)
    Scope (\_SB.PCI0.S10)
    {
        Method (_DOS, 1) {}
        // Bit 31: ids follow the ACPI scheme; type 4: an internal flat panel.
        Method (_DOD, 0) { Return (Package () { 0x80010400 }) }
        Device (LCD0)
        {
            Name (_ADR, 0x0400)
            Name (LEVL, 5)
            // Level on mains, level on battery, then all levels.
            Method (_BCL, 0) { Return (Package () { 10, 5, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 }) }
            Method (_BCM, 1) { LEVL = Arg0 }
            Method (_BQC, 0) { Return (LEVL) }
        }
    }
}
