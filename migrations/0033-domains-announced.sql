-- Processes that hold domains in memory hear of a change: the address of the QR-image service is one of them.
CREATE TRIGGER domain_announced AFTER INSERT OR UPDATE OR DELETE ON domain FOR EACH STATEMENT EXECUTE FUNCTION announce('domain');
